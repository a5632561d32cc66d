"""What was said beside what is true.

- *Free* is a model that answers: the scenarios whose right verdict is `available`. One of them called down is a
  false-down.
- *Not free* is where no use of the model can be made: one of them called up is a false-up. A refusal of what was asked
  (`bad_request`, `content_filtered`) says nothing about the model; it counts for neither.
- *Named rightly* is how many failures got a label that means their class. What a label means is chosen by this script
  and in favour of each program: the class that makes most of its own answers right. Only what Vacancy's kinds mean
  stands fixed. Classes are coarser than Vacancy's kinds, so that nobody is asked for a distinction of ours.
"""

import collections

CLASSES = {
    "at_capacity": "capacity",
    "rate_limited": "rate limit",
    "usage_limit": "rate limit",
    "quota_exhausted": "quota",
    "auth": "key",
    "forbidden": "key",
    "model_not_found": "no such model",
    "bad_request": "request",
    "content_filtered": "request",
    "misconfigured": "address",
    "server_error": "server fault",
    "timeout": "timeout",
    "network": "network",
}


def meanings(name, verdicts):
    """What each label of a program means, in its favour."""
    if name == "Vacancy":
        return dict(CLASSES)
    counts = collections.defaultdict(collections.Counter)
    for row, is_up, label in verdicts:
        if not is_up and row["kind"] in CLASSES:
            counts[label][CLASSES[row["kind"]]] += 1
    return {label: counter.most_common(1)[0][0] for label, counter in counts.items()}


def figures(name, verdicts, dialect=None):
    """Counts for one program; what a label means is learned from all its dialects."""
    means = meanings(name, verdicts)
    chosen = [one for one in verdicts if dialect in (None, one[0]["dialect"])]
    free = [one for one in chosen if one[0]["kind"] == "available"]
    gone = [one for one in chosen if one[0]["kind"] not in ("available", "bad_request", "content_filtered")]
    failures = [one for one in chosen if one[0]["kind"] in CLASSES]
    return {
        "names": len(means),
        "down": ([row["scenario"] for row, is_up, _ in free if not is_up], len(free)),
        "up": ([row["scenario"] for row, is_up, _ in gone if is_up], len(gone)),
        "right": (
            [row["scenario"] for row, up, label in failures if not up and means.get(label) == CLASSES[row["kind"]]],
            len(failures),
        ),
    }


def print_all(verdicts):
    """The tables."""
    print("The dialect openai-chat, which all of them speak:\n")
    print_table({name: figures(name, said, "openai-chat") for name, said in verdicts.items()})
    print("\nAll dialects of each:\n")
    print_table({name: figures(name, said) for name, said in verdicts.items()}, verdicts)
    print("\nWhich, in openai-chat:\n\n| program | free, called down | not free, called up |\n| --- | --- | --- |")
    for name, said in verdicts.items():
        counted = figures(name, said, "openai-chat")
        print(f"| {name} | {', '.join(counted['down'][0]) or '-'} | {', '.join(counted['up'][0]) or '-'} |")
    print("\nWhat the labels were taken for:\n\n| program | label: class |\n| --- | --- |")
    for name, said in verdicts.items():
        if name != "Vacancy":
            pairs = sorted(meanings(name, said).items())
            print(f"| {name} | {', '.join(f'{label}: {meaning}' for label, meaning in pairs)} |")


def print_table(rows, verdicts=None):
    dialects = " dialects |" if verdicts else ""
    print(f"| program |{dialects} false-down | false-up | failures named rightly |")
    print("| --- |" + (" ---: |" if verdicts else "") + " ---: | ---: | ---: |")
    for name, counted in rows.items():
        (down, free), (up, gone), (right, failures) = counted["down"], counted["up"], counted["right"]
        spoken = f" {len({row['dialect'] for row, *_ in verdicts[name]})} |" if verdicts else ""
        named = f"{len(right)} of {failures}, {100 * len(right) / failures:.0f} %" if counted["names"] > 1 else "says no more"
        print(f"| {name} |{spoken} {len(down)} of {free} | {len(up)} of {gone} | {named} |")
