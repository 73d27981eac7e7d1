"""What a page needs to show a game: its texts in both languages, rule book, house rules, view fields and facts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from tripot.bots.levels import levels_of
from tripot.core.game import Game
from tripot.core.options import SEATS, shape_of
from tripot.core.rulebook import option_texts, rule_book
from tripot.core.speech import Phrase, Sentence
from tripot.core.staging import Staging
from tripot.web.api.messages import (
    Catalogue,
    ClauseInfo,
    FieldInfo,
    GameInfo,
    LevelInfo,
    OptionInfo,
    SentenceInfo,
    SetPieceInfo,
    StagingInfo,
    Words,
)

OWN_PLACE = {
    "TITLE",
    "TAGLINE",
    "SEATS",
    "NAMES",
    "QUESTIONS",
    "DECISIONS",
    "NEWS",
    "OPTION_VALUES",
}  # the catalogue has a field for each of these


def words(phrase: Phrase) -> Words:
    return Words(en=phrase.en, fr=phrase.fr)


def _options(game: Game) -> list[OptionInfo]:
    texts = option_texts(game)
    named: dict[str, tuple[Phrase, ...]] = getattr(game.text, "OPTION_VALUES", {})
    return [_option(f, texts[f.name], named.get(f.name)) for f in dataclasses.fields(game.options)]


def _option(f: dataclasses.Field[Any], text: Phrase, named: tuple[Phrase, ...] | None) -> OptionInfo:
    names, highest = f.metadata["names"], f.metadata["highest"]
    return OptionInfo(
        name=f.name,
        clause=f.metadata["clause"],
        text=words(text),
        default=names(f.default).name.lower() if names else f.default,
        shape=list(shape_of(f)),
        highest=None if highest == SEATS else highest,
        values=[member.name.lower() for member in names] if names else None,
        value_names=[words(phrase) for phrase in named] if named else None,
    )


def game_info(game: Game, engine: Literal["interpreted", "compiling", "native"]) -> GameInfo:
    """Returns what the lobby shows of a game."""
    return GameInfo(
        name=game.name,
        title=words(game.text.TITLE),
        tagline=words(game.text.TAGLINE),
        rules=game.rules_version,
        seats=list(game.seats),
        seat_names=[words(name) for name in game.text.SEATS],
        options=_options(game),
        levels=[
            LevelInfo.model_validate(
                {
                    "level": level.key,
                    "name": words(level.name),
                    "meaning": words(level.meaning),
                    "bot": level.bot,
                }
            )
            for level in levels_of(game)
        ],
        engine=engine,
        **_teaches(game),
    )


def catalogue(game: Game) -> Catalogue:
    """Returns the catalogue of a game."""
    text = game.text
    return Catalogue(
        game=game.name,
        rules=game.rules_version,
        title=words(text.TITLE),
        tagline=words(text.TAGLINE),
        seat_names=[words(name) for name in text.SEATS],
        names={table: [words(name) for name in names] for table, names in text.NAMES.items()},
        questions={int(phase): _sentence(phase, said) for phase, said in text.QUESTIONS.items()},
        decisions={key: _sentence(key, said) for key, said in text.DECISIONS.items()},
        news={int(kind): _sentence(kind, said) for kind, said in text.NEWS.items()},
        advice={int(phase): words(said) for phase, said in game.guide.advice.items()} if game.guide else {},
        **_teaches(game),
        guide={key: _sentence(key, said) for key, said in game.guide.sentences.items()} if game.guide else {},
        more={name.lower(): _plain(value) for name, value in vars(text).items() if _is_table_of_texts(name, value)},
        clauses=_clauses(game),
        options=_options(game),
        fields=[
            FieldInfo(name=f.name, shape=list(f.shape), highest=f.highest, meaning=f.meaning)
            for f in game.layout.view.fields
        ],
        facts=getattr(text, "FACTS", {}),
        staging=_staging(getattr(text, "STAGING", Staging())),
        drawing=f"outside/{game.name}/{game.drawing}" if game.page else game.drawing,
    )


def _teaches(game: Game) -> dict[str, Any]:
    return {"primer": bool(game.teaching and game.teaching.primer), "lessons": len(game.lessons)}


def _staging(staging: Staging) -> StagingInfo:
    return StagingInfo(
        pieces={
            name: SetPieceInfo(opens=list(piece.opens), joins=list(piece.joins))
            for name, piece in staging.pieces.items()
        },
        gathered=list(staging.gathered),
        headings=list(staging.headings),
        told_better=dict(staging.told_better),
        actors=dict(staging.actors),
    )


def _clauses(game: Game) -> list[ClauseInfo]:
    return [
        ClauseInfo(
            number=clause.number,
            section=words(clause.section),
            title=words(clause.title),
            sources=list(clause.sources),
            options=list(clause.options),
            text=words(clause.text),
        )
        for clause in rule_book(game).values()
    ]


def _sentence(key: Any, said: Sentence) -> SentenceInfo:
    name = key if isinstance(key, str) else str(getattr(key, "name", key)).lower()  # a game may number them plainly
    return SentenceInfo(name=name, clause=said.clause, args=said.args, en=said.en, fr=said.fr)


def _is_table_of_texts(name: str, value: Any) -> bool:
    """Whether a name of a text module holds another table of phrases or sentences."""
    if not name.isupper() or name.startswith("_") or name in OWN_PLACE:
        return False
    inside = list(value.values()) if isinstance(value, Mapping) else value
    return isinstance(value, Phrase | Sentence) or (
        isinstance(inside, tuple | list)
        and bool(inside)
        and all(isinstance(item, Phrase | Sentence) for item in inside)
    )


def _plain(value: Any) -> Any:
    """Returns phrases and sentences, also inside tables, as JSON takes them."""
    if isinstance(value, Phrase):
        return words(value)
    if isinstance(value, Sentence):
        return {"clause": value.clause, "args": value.args, "en": value.en, "fr": value.fr}
    if isinstance(value, Mapping):
        return {str(int(key) if isinstance(key, int) else key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value]
