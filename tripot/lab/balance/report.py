"""The balance report as one HTML page: no scripts, no other files, French or English at the press of a button."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from tripot.lab.balance.chart import Mark, both, forest, histogram, number, spark

STYLE = Path(__file__).parent / "report.css"
CLEAR = 30  # the page remarks on a decision only if it was offered at least this often
LOWEST, HIGHEST = 0.0, 3.0  # the range of the small charts, in fair shares

Facts = dict[str, Any]


def report(facts: Facts, lang: str = "en") -> str:
    """The page; `lang` is the language it opens in."""
    title = f"{facts['title']['en']} · Tripot"
    chosen = {name: " checked" if name == lang else "" for name in ("en", "fr")}
    parts = [_intro(facts), _remarks(facts), _shares(facts), _lengths(facts), _decisions(facts), _events(facts)]
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text('utf-8')}</style>\n</head>\n<body>\n"
        f'<input class="switch" type="radio" name="language" id="english"{chosen["en"]} aria-label="English">\n'
        f'<input class="switch" type="radio" name="language" id="french"{chosen["fr"]} aria-label="Français">\n'
        f"{_header(facts)}\n<main>\n{''.join(part + chr(10) for part in parts if part)}</main>\n</body>\n</html>\n"
    )


def _header(facts: Facts) -> str:
    name = facts["title"]
    return (
        '<header><nav><label for="english">English</label><label for="french">Français</label></nav>'
        f"<h1>{both('The balance of ' + name['en'], 'L’équilibre de ' + name['fr'])}</h1></header>"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{title}</h2>{''.join(parts)}</section>"


def _say(en: str, fr: str, kind: str = "soft") -> str:
    return f'<p class="{kind}">{both(en, fr)}</p>'


def _intro(facts: Facts) -> str:
    games, bot, seats = facts["games"], facts["bot"], facts["seats"]
    last = facts["seed"] + games - 1
    return _section(
        both("What was played", "Ce qui a été joué"),
        _say(
            f"{games} games of {bot} in all {seats} seats, deals {facts['seed']} to {last}, "
            f"rules version {facts['rules']}.",
            f"{games} parties de {bot} aux {seats} places, donnes {facts['seed']} à {last}, "
            f"version {facts['rules']} des règles.",
            "",
        ),
        _legend(facts["columns"]),
        _say(
            "Shares of victory are told in fair shares: 1 is just what everyone is due, 2 twice as much; shared wins "
            "count in part. Every value comes with its 95% interval. Bots are not people: what stands here is how "
            "this bot plays.",
            "Les parts de victoire sont comptées en parts équitables : 1 est juste ce qui revient à chacun, 2 le "
            "double ; une victoire partagée compte en partie. Chaque valeur a son intervalle à 95 %. Un robot n’est "
            "pas une personne : on lit ici comment joue celui-ci.",
        ),
    )


def _legend(columns: Sequence[Facts]) -> str:
    if len(columns) == 1:
        return ""
    names = [f'<li><span class="key m{i % 6}"></span> {_rules(column)}</li>' for i, column in enumerate(columns)]
    note = _say(
        "All columns were played on the same deals. ▲ and ▼ mark what differs from the printed rules beyond its 95% "
        "interval: of a hundred values that do not differ at all, some five are marked.",
        "Toutes les colonnes ont joué les mêmes donnes. ▲ et ▼ marquent ce qui s’écarte des règles imprimées au-delà "
        "de son intervalle à 95 % : sur cent valeurs qui ne diffèrent en rien, environ cinq sont marquées.",
    )
    return f'<ul class="legend">{"".join(names)}</ul>{note}'


def _rules(column: Facts) -> str:
    """The name of a column: the house rules that differ."""
    if not column["options"]:
        return both("printed rules", "règles imprimées")
    return ", ".join(f"<code>{escape(f'{name}={value}')}</code>" for name, value in column["options"].items())


# --- What stands out ---


def _remarks(facts: Facts) -> str:
    """Remarks on the printed rules that go beyond chance."""
    column = facts["columns"][0]
    found = [_remark_share(part) for part in (*column["seats"], *column["sides"])]
    found += [_remark_unused(item) for item in column["decisions"]]
    lines = [line for line in found if line]
    if not lines:
        lines = [both("No seat and no side is off its fair share by more than chance.",
                      "Aucune place ni aucun camp ne s’écarte de sa part équitable plus que par hasard.")]  # fmt: skip
    return _section(
        both("What stands out", "Ce qui se remarque"),
        "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>",
    )


def _remark_share(part: Facts) -> str:
    ratio = part["share_ratio"]
    low, high = ratio["interval"]
    if low <= 1 <= high:
        return ""
    more = low > 1
    name, value = part["name"], f"{ratio['value']:.2f}"
    return both(
        f"{name['en']} wins {'more' if more else 'less'} than its share: {value} times.",
        f"{name['fr']} gagne {'plus' if more else 'moins'} que sa part : {value.replace('.', ',')} fois.",
    )


def _remark_unused(item: Facts) -> str:
    if "taken" not in item or item["offered"] < CLEAR or item["taken"]["value"] >= 0.01:
        return ""
    return both(
        f"Hardly ever chosen: “{item['text']['en']}” ({item['offered']} times on offer).",
        f"Presque jamais choisi : « {item['text']['fr']} » (proposé {item['offered']} fois).",
    )


# --- Shares ---


def _shares(facts: Facts) -> str:
    parts = [_share_block(facts, "seats", both("By seat", "Par place"))]
    if facts["columns"][0]["sides"]:
        parts.append(_share_block(facts, "sides", both("By side", "Par camp")))
    return _section(both("Who wins", "Qui gagne"), *parts)


def _share_block(facts: Facts, name: str, caption: str) -> str:
    columns = facts["columns"]
    rows, lines = [], []
    for place, part in enumerate(columns[0][name]):
        found = [column[name][place]["share_ratio"] for column in columns if place < len(column[name])]
        label = both(part["name"]["en"], part["name"]["fr"])
        svg_label = both(part["name"]["en"], part["name"]["fr"], "tspan")
        rows.append((svg_label, [_mark(value, i) for i, value in enumerate(found)]))
        lines.append(f'<tr><th scope="row">{label}</th>{"".join(_cell(value) for value in found)}</tr>')
    heads = "".join(f'<th scope="col">{_rules(column)}</th>' for column in columns)
    head = f'<thead><tr><th scope="col"></th>{heads}</tr></thead>'
    table = f'<table class="narrow">{head}<tbody>{"".join(lines)}</tbody></table>'
    return f'<div class="side">{forest(rows, caption)}<div class="scroll">{table}</div></div>'


def _mark(quantity: Facts, colour: int) -> Mark:
    low, high = quantity["interval"]
    return Mark(quantity["value"], low, high, colour)


def _cell(quantity: Facts) -> str:
    """A table cell with a value and its interval below."""
    low, high = quantity["interval"]
    interval = f"{number(low)}–{number(high)}"
    return f"<td>{number(quantity['value'])}{_change(quantity)}<small>{interval}</small></td>"


def _change(quantity: Facts) -> str:
    """An arrow where a value differs from the printed rules by more than chance."""
    low, high = quantity.get("difference", (0, 0))
    if low > 0:
        return ' <span class="up">▲</span>'
    return ' <span class="down">▼</span>' if high < 0 else ""


# --- Length and lead ---


def _lengths(facts: Facts) -> str:
    titles = {
        "length": ("Decisions in a game", "Décisions par partie"),
        "lead_changes": (
            "How often somebody else comes to be alone ahead",
            "Combien de fois un autre prend seul la tête",
        ),
        "clock": ("Rounds or turns in a game", "Tours par partie"),
    }
    parts = [_length(facts, name, *title) for name, title in titles.items() if name in facts["columns"][0]]
    settled = [column["settled"] for column in facts["columns"] if "settled" in column]
    note = ""
    if settled:
        share = "".join(f"{number(100 * value['value'], 0, 'span', '%')}{_change(value)} " for value in settled)
        text = both("How much of the game is over when the last leader takes the lead: ",
                    "Part de la partie déjà jouée quand le dernier à mener prend la tête : ")  # fmt: skip
        note = f"<p>{text}{share}</p>"
    return _section(
        both("The course of the game", "Le cours de la partie"), f'<div class="side">{"".join(parts)}</div>', note
    )


def _length(facts: Facts, name: str, en: str, fr: str) -> str:
    columns = [column for column in facts["columns"] if name in column]
    values = [int(value) for column in columns for value in column[name]["spread"]]
    found = [f"<h3>{both(en, fr)}</h3>"]
    for colour, column in enumerate(columns):
        mean = column[name]["mean"]
        low, high = mean["interval"]
        caption = (
            f"{both('mean', 'moyenne')} {number(mean['value'], 1)} ({number(low, 1)}–{number(high, 1)}){_change(mean)}"
        )
        if len(columns) > 1:
            caption = f"{_rules(column)}: {caption}"
        spread = {int(value): count for value, count in column[name]["spread"].items()}
        always = min(values) == max(values)
        found.append(f"<p>{caption}</p>" if always else histogram(spread, colour, min(values), max(values), caption))
    return f"<div>{''.join(found)}</div>"


# --- What is used ---


def _decisions(facts: Facts) -> str:
    heads = [
        both("a game", "par partie"),
        both("taken when offered", "pris si proposé"),
        both("won if taken", "gain si pris"),
        both("", ""),
        both("won if passed over", "gain si laissé"),
    ]
    note = _say(
        "How often each decision is taken, how often where it could be, and what part of the victory those who took it "
        "won in the end, in fair shares: the dot with its interval; the ring shows those who could have and did not. "
        "It goes with winning; that it causes it is not said.",
        "Combien de fois chaque décision est prise, combien de fois quand elle pouvait l’être, et quelle part de la "
        "victoire ont eue à la fin ceux qui l’ont prise, en parts équitables : le point et son intervalle ; l’anneau "
        "montre ceux qui auraient pu et ne l’ont pas fait. Cela accompagne la victoire, sans dire que cela la cause.",
    )
    return _section(both("What is decided", "Ce qui se décide"), note, _table(facts, "decisions", heads))


def _events(facts: Facts) -> str:
    heads = [both("a game", "par partie"), both("won by those it befell", "gain de qui cela touche"), both("", "")]
    return _section(both("What happens", "Ce qui arrive"), _table(facts, "news", heads))


def _table(facts: Facts, name: str, heads: Sequence[str]) -> str:
    columns = facts["columns"]
    others = [{_name(item): item for item in column[name]} for column in columns[1:]]
    parts = f"<br><small>{both('a game · won', 'par partie · gain')}</small>"
    extra = "".join(f'<th scope="col" colspan="2">{_rules(column)}{parts}</th>' for column in columns[1:])
    head = f'<th scope="col"></th>{"".join(f"<th scope=col>{text}</th>" for text in heads)}{extra}'
    lines = []
    used = {item["key"] for item in columns[0][name] if item["per_game"]["value"] > 0}
    for item in columns[0][name]:
        if item["place"] and item["key"] not in used:
            continue  # a decision that was never taken needs no details
        label = both(item["text"]["en"], item["text"]["fr"])
        cells = _item_cells(item, name == "decisions")
        beside = "".join(_beside(other.get(_name(item))) for other in others)
        kind = "part" if item["place"] else "whole"
        lines.append(f'<tr class="{kind}"><th scope="row">{label}</th>{cells}{beside}</tr>')
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>{chr(10).join(lines)}</tbody></table></div>'
    )


def _name(item: Facts) -> tuple[str, str, int]:
    return item["key"], item["place"], item["value"]


def _item_cells(item: Facts, chosen: bool) -> str:
    """The cells of one item by the printed rules."""
    cells = [f"<td>{number(item['per_game']['value'])}</td>"]
    if chosen:
        cells.append(
            f"<td>{number(100 * item['taken']['value'], 0, 'span', '%')}</td>" if "taken" in item else "<td></td>"
        )
    if "win_ratio" in item:
        passed = item.get("win_ratio_passed", {}).get("value")
        cells.append(f"<td>{number(item['win_ratio']['value'])}</td>")
        cells.append(f"<td>{spark(_mark(item['win_ratio'], 0), passed, LOWEST, HIGHEST)}</td>")
        if chosen:
            cells.append(f"<td>{number(passed)}</td>" if passed is not None else "<td></td>")
    else:
        cells.append("<td></td>" * (3 if chosen else 2))
    return "".join(cells)


def _beside(item: Facts | None) -> str:
    """Two cells for other house rules: how often the item is used, and the win share of its users."""
    if item is None:
        return "<td>–</td><td>–</td>"
    won = item.get("win_ratio")
    share = f"{number(won['value'])}{_change(won)}" if won else ""
    return f"<td>{number(item['per_game']['value'])}{_change(item['per_game'])}</td><td>{share}</td>"
