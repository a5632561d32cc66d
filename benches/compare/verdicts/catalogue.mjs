// Given to free-coding-models with `node --import`: its catalogue of hosted models becomes the loopback provider's
// scenarios, each under a provider of its own. Nothing else of the program is touched; its verdicts are its own.
import { readFileSync } from 'node:fs';

const { sources, MODELS } = await import(process.env.FCM_SOURCES);
const world = JSON.parse(readFileSync(process.env.WORLD, 'utf8'));

for (const key of Object.keys(sources)) delete sources[key];
MODELS.length = 0;
for (const { scenario, base_url: base, dialect } of world) {
  if (dialect !== 'openai-chat') continue;
  const key = `loop-${scenario}`;
  const model = [scenario, scenario, 'S', '50%', '128k'];
  sources[key] = { name: key, url: `${base}/chat/completions`, models: [model] };
  MODELS.push([...model, key, null]);
}
