"""A table as a picture, for `rgb_array`: its text in small capitals on a sheet of fixed size."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

COLUMNS, ROWS, SCALE = 100, 56, 2
PAPER, INK, QUESTION = (250, 247, 240), (32, 36, 44), (22, 92, 130)
WIDE, HIGH = 4, 6  # of a letter with the space after it

# Five rows of three dots each, as numbers from 0 to 7.
LETTERS = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755",
    "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644",
    "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255",
    "Y": "55222", "Z": "71247", "0": "75557", "1": "26227", "2": "61247", "3": "61216", "4": "55711", "5": "74616",
    "6": "34757", "7": "71122", "8": "75757", "9": "75716", ".": "00002", ",": "00024", ":": "02020", ";": "02024",
    "-": "00700", "+": "02720", "/": "11244", "|": "22222", "(": "12221", ")": "42224", "[": "32223", "]": "62226",
    "!": "22202", "?": "61202", "'": "22000", "=": "07070", "_": "00007", "*": "52500", "%": "51245", "#": "57575",
}  # fmt: skip


def draw(text: str) -> NDArray[np.uint8]:
    """Returns height by width by 3; what does not fit is cut off. Lines that begin with a space are choices."""
    sheet = np.empty((ROWS * HIGH, COLUMNS * WIDE, 3), np.uint8)
    sheet[:] = PAPER
    for row, line in enumerate(text.splitlines()[: ROWS - 1]):
        colour = QUESTION if line.startswith("  ") else INK
        for column, letter in enumerate(_plain(line)[: COLUMNS - 1]):
            if letter in LETTERS:
                y, x = row * HIGH + 1, column * WIDE + 1
                sheet[y : y + 5, x : x + 3][_dots(letter)] = colour
    return sheet.repeat(SCALE, 0).repeat(SCALE, 1)


def _plain(line: str) -> str:
    """Capitals without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", line.upper()) if not unicodedata.combining(c))


@cache
def _dots(letter: str) -> NDArray[np.bool_]:
    return np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in LETTERS[letter]], bool)
