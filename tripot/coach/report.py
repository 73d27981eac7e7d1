"""A review as one HTML file: no scripts, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tripot.coach import words
from tripot.coach.words import Teller

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 260, 52, 110, 12, 30
COLOURS = ("#8c2f39", "#1d5c63", "#8a6d1f", "#4a4e8f", "#2f6b34", "#6b3a6e")
DASHES = ("", "8 4", "2 4", "10 3 2 3", "1 3", "14 5")
STYLE = """
body{font:17px/1.5 Georgia,serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#2b2420;background:#faf6ec}
table{border-collapse:collapse;margin:.6rem 0}td,th{padding:.25rem .7rem;text-align:left;vertical-align:top;
border-bottom:1px solid #d9cfb8}td.n{text-align:right;white-space:nowrap}svg{width:100%;height:auto}
text{font:13px Georgia,serif;fill:#2b2420}ul{margin:0;padding-left:1.1rem}.taken{font-weight:bold}
@media(prefers-color-scheme:dark){body{color:#efe6d2;background:#221d1a}text{fill:#efe6d2}td,th{border-color:#4a4038}}
"""


def report(teller: Teller, seats: Sequence[int]) -> str:
    """The review as a page, with the decisions of these seats."""
    lang, game = teller.lang, teller.game
    title = f"{game.text.TITLE(lang)} · {words.TITLE(lang)}"
    body = [f"<h1>{escape(title)}</h1>", graph(teller)]
    body.append(f"<p>{escape(words.HOW(lang))}</p>")
    body += [part for seat in seats for part in seat_part(teller, seat)]
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def graph(teller: Teller) -> str:
    """Every seat's chance over the game, and the same numbers by round as a table."""
    review, lang = teller.review, teller.lang
    last = len(review.chances) - 1
    parts = []
    for share in (0, 25, 50, 75, 100):
        y = height(share * review.whole // 100, review.whole)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#b9ab8d" stroke-width=".6"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{share}</text>')
    for seat in range(review.seats):
        points = " ".join(
            f"{LEFT + i * (WIDTH - LEFT - RIGHT) / max(last, 1):.1f},{height(moment[seat], review.whole)}"
            for i, moment in enumerate(review.chances)
        )
        look = f'stroke="{COLOURS[seat]}" stroke-dasharray="{DASHES[seat]}"'
        parts.append(f'<polyline points="{points}" fill="none" stroke-width="2" {look}/>')
        y = TOP + 16 + 22 * seat
        parts.append(f'<path d="M{WIDTH - RIGHT + 8} {y - 4}h22" stroke-width="2" {look}/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 36}" y="{y}">{escape(teller.names[seat])}</text>')
    label = escape(words.CHANCES(lang))
    picture = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    return f"<h2>{label}</h2>{picture}{by_round(teller)}"


def height(units: int, whole: int) -> float:
    return round(TOP + (1 - units / whole) * (HEIGHT - TOP - BOTTOM), 1)


def by_round(teller: Teller) -> str:
    """The chances where each round begins, for those who do not see lines."""
    review = teller.review
    head = "".join(f"<th>{escape(name)}</th>" for name in teller.names[: review.seats])
    rows, clock = [], -1
    for step, decision in enumerate(review.decisions):
        if decision.clock != clock:
            clock = decision.clock
            rows.append((teller.clock(clock), review.chances[step]))
    rows.append((words.THE_END(teller.lang), review.chances[-1]))
    cells = "".join(
        f"<tr><th>{escape(name)}</th>" + "".join(f'<td class="n">{teller.of(one)}</td>' for one in chances) + "</tr>"
        for name, chances in rows
    )
    table = f"<table><tr><td></td>{head}</tr>{cells}</table>"
    return f"<details><summary>{escape(words.CHANCES(teller.lang))}</summary>{table}</details>"


def seat_part(teller: Teller, seat: int) -> list[str]:
    """One seat: the sum, the moments that mattered, every decision."""
    lang, review = teller.lang, teller.review
    account = review.account(seat)
    title = words.SEAT_TITLE(lang).format(name=teller.names[seat], words=teller.accuracy(account))
    lines = "".join(
        f'<tr><th>{escape(name)}</th><td class="n">{number}</td></tr>' for name, number in teller.sum(account)
    )
    moments = "".join(
        f"<li><b>{escape(teller.heading(step))}.</b> {escape(teller.moment(step, seat))}</li>"
        for step in review.turning_points(seat)
    )
    rows = "".join(decision_row(teller, step) for step, one in enumerate(review.decisions) if one.seat == seat)
    head = "".join(f"<th>{escape(column(lang))}</th>" for column in words.COLUMNS)
    return [
        f"<h2>{escape(title)}</h2><table>{lines}</table><p>{escape(teller.missed(account))}</p>",
        f"<h3>{escape(words.MOMENTS(lang))}</h3><ol>{moments}</ol>",
        f"<details><summary>{escape(words.ALL_DECISIONS(lang))}</summary><table><tr>{head}</tr>{rows}</table></details>",
    ]


def decision_row(teller: Teller, step: int) -> str:
    decision = teller.review.decisions[step]
    if not decision.choices:
        return ""
    choices = "".join(
        f"<li{' class=taken' if taken else ''}>{chance} {escape(text)}</li>"
        for text, chance, taken in teller.alternatives(decision)
    )
    missed = teller.of(decision.missed) if teller.review.told_miss(decision) else ""
    chosen = escape(teller.choice(step, decision.action))
    first = f'<td class="n">{decision.number}</td><td>{chosen}</td><td class="n">{missed}</td>'
    return f"<tr>{first}<td><ul>{choices}</ul></td></tr>"
