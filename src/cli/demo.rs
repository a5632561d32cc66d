//! `vacancy demo`.

use jiff::tz::TimeZone;

use crate::app::{self, EngineOptions};
use crate::args;
use crate::cli::{self, Context, Exit, Failure, watch};
use crate::core::target::Dialect;
use crate::demo::world::prepare;
use crate::demo::{SEED, WEEKS};
use crate::i18n::Tr;
use crate::loopback::settings::{Addresses, settings_file};
use crate::loopback::{Loopback, Options, Scenario};

/// The port of `--serve` and `--settings` when none is named: in the dynamic range, so that no service owns it.
const PORT: u16 = 49_870;

/// Arguments of `vacancy demo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Keep the board as text in the terminal
    #[arg(long)]
    pub text: bool,
    /// How many weeks of the past to simulate
    #[arg(long, value_name = "N", default_value_t = WEEKS, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub weeks: u32,
    /// Run only the loopback provider, in the foreground: every dialect, every scenario, chosen by the model's name
    #[arg(long)]
    pub serve: bool,
    /// Print a vacancy.toml with a target for every scenario and dialect of the loopback provider
    #[arg(long)]
    pub settings: bool,
    /// With --settings: only these dialects, such as openai-chat; without it all five
    #[arg(long, value_name = "DIALECT", value_delimiter = ',', value_parser = probed)]
    pub dialect: Vec<Dialect>,
    /// The loopback provider's port; the next one takes TLS, the one after is kept closed; 0 takes free ones
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    pub port: u16,
}

impl Args {
    fn dialects(&self) -> &[Dialect] {
        if self.dialect.is_empty() { &Dialect::PROBED } else { &self.dialect }
    }
}

/// Reads the name of a dialect that can be probed.
fn probed(name: &str) -> Result<Dialect, String> {
    Dialect::PROBED.into_iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
        let names = Dialect::PROBED.map(Dialect::name).join(", ");
        format!("no such dialect; there are {names}")
    })
}

/// Runs the verb.
///
/// # Errors
///
/// When the loopback provider cannot start or standard output cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    if args.serve {
        return serve(args, context);
    }
    if args.settings {
        let address = |scheme: &str, offset: u16| {
            let port = args.port.checked_add(offset).unwrap_or(args.port);
            format!("{scheme}://127.0.0.1:{port}")
        };
        let addresses = Addresses { plain: address("http", 0), tls: address("https", 1), refused: address("http", 2) };
        cli::print(&settings_file(&addresses, args.dialects()))?;
        return Ok(Exit::Done);
    }
    show(args, context)
}

/// Runs the real program on a demo's folders.
fn show(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let zone = TimeZone::system();
    let world = prepare(&context.roots, SEED, args.weeks, &zone, &context.clock)
        .map_err(|error| Failure::new(Exit::Fault, error.describe(&context.tr)))?;
    // A language chosen in the last demo is one of its looks, which stay.
    let lang = context.asked_lang.or_else(|| cli::chosen_language(&world.roots));
    let tr = lang.map_or_else(|| context.tr.clone(), Tr::new);
    let demo = Context { roots: world.roots.clone(), tr, ..context.clone() };
    let options = EngineOptions { is_demo: true, ..EngineOptions::default() };
    if args.text { watch::keep(&demo, options) } else { app::window::run(&demo, options) }
}

/// Runs the loopback provider until the user ends it.
fn serve(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::new(Exit::Fault, error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| fault(&error))?;
    runtime.block_on(async {
        let options = Options { port: args.port, ..Options::default() };
        let loopback = Loopback::start(options).await.map_err(|error| fault(&error))?;
        let mut stop = std::pin::pin!(app::stop_signal());
        // Asked once before anything is printed: who reads the text may send the signal at once.
        tokio::select! {
            biased;
            () = &mut stop => return Ok(Exit::Done),
            () = std::future::ready(()) => {}
        }
        if args.settings {
            cli::print(&settings_file(loopback.addresses(), args.dialects()))?;
        } else {
            cli::print(&introduction(loopback.addresses(), context))?;
        }
        stop.await;
        loopback.shutdown().await;
        Ok(Exit::Done)
    })
}

fn introduction(addresses: &Addresses, context: &Context) -> String {
    let tr = &context.tr;
    let mut text = tr.text("demo-serve-title") + "\n\n";
    for dialect in Dialect::PROBED {
        text += &format!("  {:<20} {}\n", dialect.name(), addresses.base_url(dialect, Scenario::Ok));
    }
    text += &format!("\n  {:<20} {}\n", Scenario::BadCertificate.name(), addresses.tls);
    text += &format!("  {:<20} {}\n\n", Scenario::Refused.name(), addresses.refused);
    text += &tr.text("demo-serve-models");
    text.push('\n');
    let names: Vec<_> = Scenario::ALL.iter().filter(|scenario| !scenario.is_by_base_url()).map(|s| s.name()).collect();
    for line in names.chunks(4) {
        let cells: Vec<_> = line.iter().map(|name| format!("{name:<23}")).collect();
        text += &format!("  {}\n", cells.concat().trim_end());
    }
    let port = addresses.plain.rsplit(':').next().unwrap_or_default().to_owned();
    text += &format!("\n{}\n", tr.with("demo-serve-hint", &args!("port" => port)));
    text
}
