"""Regenerates golden playthroughs, fingerprints, aspects and game pages (`python -m tests.regen`). Read the diff."""

from tests import aspects, fingerprint, game_page
from tests.playthrough import FOLDER, GOLDEN, render
from tripot import GAMES


def main() -> None:
    playthroughs()
    fingerprint.write()
    print(fingerprint.FILE.name)
    aspects.write()
    print(aspects.FILE.name)
    game_page.FOLDER.mkdir(parents=True, exist_ok=True)
    for game in GAMES.values():
        game_page.page_path(game).write_text(game_page.render_page(game), "utf-8")
        print(f"{game.name}.md")


def playthroughs() -> None:
    FOLDER.mkdir(exist_ok=True)
    for golden in GOLDEN:
        text = render(golden)
        old = golden.path.read_text("utf-8") if golden.path.exists() else ""
        golden.path.write_text(text, "utf-8")
        print(f"{golden.path.name}: {'unchanged' if text == old else 'changed' if old else 'new'}")
    for path in set(FOLDER.glob("*.txt")) - {golden.path for golden in GOLDEN}:
        path.unlink()
        print(f"{path.name}: removed")


if __name__ == "__main__":
    main()
