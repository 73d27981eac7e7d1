"""French and English are complete: everything that a game can ask, offer or tell has a sentence in both."""

import dataclasses
import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

from tripot.core.game import Game, waiting_seats
from tripot.core.rulebook import option_texts, rule_book
from tripot.core.speech import BAG, BAG_BITS, BUILT_IN, LANGUAGES, Phrase, Sentence, say
from tripot.testing.cases import Case, positions

HOLE = re.compile(r"\{(\w+)")
LARGEST_BAG = 13  # kinds of four bits in the 53 bits of a page's numbers
MOST_HOLES = 4  # numbers of a piece of news; a guide's sentence may have more
Judge = Callable[[str, str], list[str]]  # (text, language): what else is wrong with a sentence


def no_faults(text: str, lang: str) -> list[str]:
    """A judge who finds nothing."""
    return []


def sentences(game: Game) -> dict[str, Sentence]:
    """Every sentence of a game with the name of its place."""
    found = {}
    for table in ("QUESTIONS", "DECISIONS", "NEWS"):
        for key, sentence in getattr(game.text, table).items():
            found[f"{table} {getattr(key, 'name', key)}"] = sentence
    guide = game.guide.sentences if game.guide is not None else {}
    return found | {f"GUIDE {key}": sentence for key, sentence in guide.items()}


def players(game: Game, lang: str) -> list[str]:
    """The names of the seats."""
    return [seat(lang) for seat in game.text.SEATS]


def numbers_for(table: str, game: Game) -> range | tuple[Any, ...]:
    """Returns every number that a placeholder of this table can get."""
    if table == "seat":
        return range(max(game.seats))
    if table.endswith(BAG):
        kinds = range(len(game.text.NAMES[table.removesuffix(BAG)]))
        if len(kinds) > LARGEST_BAG:  # too many for a number that a page can read: said as a list
            return ([], *([kind] for kind in kinds), [*kinds, *kinds])
        return (0, *(1 << BAG_BITS * kind for kind in kinds), sum(2 << BAG_BITS * kind for kind in kinds))
    return (0, 1, 2, 100) if table in BUILT_IN else range(len(game.text.NAMES[table]))


def well_said(text: str) -> bool:
    return bool(text.strip()) and not set("{}|") & set(text) and text[0] == text[0].upper() and "  " not in text


def said(game: Game, sentence: Sentence, numbers: Sequence[Any], lang: str, judge: Judge, where: str) -> str:
    """A sentence with its numbers; raises if it cannot be said, or is said badly."""
    try:
        text = say(sentence, numbers, game.text.NAMES, players(game, lang), lang)
    except (LookupError, AssertionError) as error:
        raise AssertionError(f"{game.name}: {where} cannot be said in {lang} with {list(numbers)}: {error!r}") from None
    assert well_said(text), f"{game.name}: {where} reads badly in {lang}: {text!r}"
    faults = judge(text, lang)
    assert not faults, f"{game.name}: {where}: {'; '.join(faults)}"
    return text


# --- Of a game ---


def every_phase_has_a_question(game: Game) -> None:
    (phase,) = (f for f in game.fields if f.name == "phase")
    missing = sorted(set(range(1, phase.highest + 1)) - set(map(int, game.text.QUESTIONS)))
    assert not missing, f"{game.name}: QUESTIONS has no sentence for phase {missing[0]}"


def names_are_in_both_languages(game: Game) -> None:
    text = game.text
    assert len(text.SEATS) >= max(game.seats), f"{game.name}: SEATS names fewer seats than can play"
    for lang in LANGUAGES:
        names = players(game, lang)
        assert len(set(names)) == len(names), f"{game.name}: two seats have one name in {lang}: {names}"
        assert text.TITLE(lang) and text.TAGLINE(lang), f"{game.name}: TITLE or TAGLINE is empty in {lang}"
    for table, phrases in text.NAMES.items():
        for number, name in enumerate(phrases):
            whole = isinstance(name, Phrase) and name.en and name.fr
            assert whole, f"{game.name}: NAMES['{table}'][{number}] is not in both languages"


def placeholders_are_the_same(game: Game) -> None:
    """Sentences have the same placeholders in both languages, and declare them."""
    for where, sentence in sentences(game).items():
        names = [name for name, _ in sentence.holes]
        english, french = (set(HOLE.findall(text)) for text in (sentence.en, sentence.fr))
        assert len(set(names)) == len(names), f"{game.name}: {where} declares a placeholder twice"
        room = len(names) <= MOST_HOLES or not where.startswith("NEWS ")
        assert room, f"{game.name}: {where} has more than {MOST_HOLES} numbers"
        for _, table in sentence.holes:
            known = table in BUILT_IN or table.removesuffix(BAG) in game.text.NAMES
            assert known, f"{game.name}: {where} looks numbers up in '{table}', which NAMES does not have"
        differ = f"{game.name}: {where} has {sorted(english)} in English and {sorted(french)} in French"
        assert english == french, differ
        undeclared = sorted(english - set(names))
        assert not undeclared, f"{game.name}: {where} does not declare {undeclared}"


def every_sentence_can_be_said(game: Game, lang: str, judge: Judge = no_faults) -> None:
    """With every number that it may get."""
    for where, sentence in sentences(game).items():
        ranges = [numbers_for(table, game) for _, table in sentence.holes]
        for longest in range(max(map(len, ranges), default=1)):
            numbers = [choices[min(longest, len(choices) - 1)] for choices in ranges]
            said(game, sentence, numbers, lang, judge if longest else no_faults, where)  # 0 is often none


def cited_clauses_exist(game: Game) -> None:
    """Every clause that a sentence or a house rule cites is in the rule book, if there is one."""
    book = rule_book(game)
    if not book:
        return
    for where, sentence in sentences(game).items():
        cited = sentence.clause.split()
        assert cited, f"{game.name}: {where} cites no clause"
        for number in cited:
            assert number in book, f"{game.name}: {where} cites {number}, which RULES.md does not have"


def every_option_has_a_clause(game: Game) -> None:
    """Every house rule has a clause that names it and a sentence in both languages."""
    book, texts = rule_book(game), option_texts(game)
    options = dataclasses.fields(game.options)
    names = [f.name for f in options]
    assert sorted(texts) == sorted(names), f"{game.name}: RULES.md explains {sorted(texts)}, the options are {names}"
    named = sorted(o for clause in book.values() for o in clause.options)
    assert named == sorted(names), f"{game.name}: clauses name the options {named}, the options are {names}"
    for field in options:
        number = field.metadata["clause"]
        assert number in book, f"{game.name}: option {field.name} cites {number}, which RULES.md does not have"
        assert field.name in book[number].options, f"{game.name}: clause {number} does not name option {field.name}"
        for lang in LANGUAGES:
            ends = texts[field.name](lang).endswith(".")
            assert ends, f"{game.name}: what RULES.md says of {field.name} in {lang} is no sentence"


# --- Of games that are played ---


def news_can_be_told(case: Case, judge: Judge = no_faults, seeds: Sequence[int] = (11, 13, 14)) -> set[int]:
    """All news of random games has a sentence in both languages. Returns the kinds that came up."""
    game, heard = case.game, set()
    for s, seat, action in itertools.chain(*(positions(case, seed) for seed in seeds)):
        if seat < 0:
            continue
        after = s.copy()
        after.news = []
        game.apply(after, seat, action)
        for item in after.news:
            where, numbers = f"NEWS {item.what}", item[2:]
            assert item.what in game.text.NEWS, f"{case}: NEWS has no sentence for {item.what}"
            sentence = game.text.NEWS[item.what]
            within(case, sentence, numbers, where)
            more = numbers[len(sentence.holes) :]
            assert not any(more), f"{case}: {where} is told with {more}, for which its sentence has no place"
            for lang in LANGUAGES:
                said(game, sentence, numbers, lang, judge, where)
            heard.add(item.what)
    return heard


def within(case: Case, sentence: Sentence, numbers: Sequence[int], where: str) -> None:
    """Every number is in its table; a negative one would name the last entry, unless it is said as it is."""
    for (name, table), number in zip(sentence.holes, numbers, strict=False):
        least = -limit_of(table, case) if table == "number" else 0
        assert least <= number < limit_of(table, case), f"{case}: {where} gets {name} = {number}, which no table has"


def limit_of(table: str, case: Case) -> int:
    if table in BUILT_IN:
        return case.seats if table == "seat" else 1000
    kinds = len(case.game.text.NAMES[table.removesuffix(BAG)])
    return 1 << BAG_BITS * kinds if table.endswith(BAG) else kinds


def decisions_can_be_told_apart(case: Case, judge: Judge = no_faults, seed: int = 12) -> None:
    """All decisions that are offered can be said, and no two of an offer read the same."""
    for s, _, _ in positions(case, seed):
        for seat in waiting_seats(s):
            view, offered = case.game.layout.observe_plain(s, seat), case.game.legal_actions(s, seat)
            for lang in LANGUAGES:
                read: dict[str, int] = {}
                for action in offered:
                    text = _decision(case, view, action, lang, judge)
                    assert text not in read, f"{case}: decisions {read[text]} and {action} both read {text!r} in {lang}"
                    read[text] = action


def _decision(case: Case, view: Any, action: int, lang: str, judge: Judge) -> str:
    key, numbers = case.game.text.decision(view, action)
    assert key in case.game.text.DECISIONS, f"{case}: DECISIONS has no sentence '{key}' for decision {action}"
    sentence, where = case.game.text.DECISIONS[key], f"DECISIONS '{key}'"
    count = len(sentence.holes)
    assert len(numbers) == count, f"{case}: {where} has {count} numbers, but decision {action} gives {list(numbers)}"
    within(case, sentence, numbers, where)
    return said(case.game, sentence, numbers, lang, judge, where)
