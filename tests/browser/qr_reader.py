"""Reads QR codes (bytes, error correction M, versions 1 to 10), written apart from what draws them."""

# data codewords of each block, and check codewords of a block, by version: ISO/IEC 18004, table 9
SHAPE = {
    1: ([16], 10),
    2: ([28], 16),
    3: ([44], 26),
    4: ([32] * 2, 18),
    5: ([43] * 2, 24),
    6: ([27] * 4, 16),
    7: ([31] * 4, 18),
    8: ([38] * 2 + [39] * 2, 22),
    9: ([36] * 3 + [37] * 2, 22),
    10: ([43] * 4 + [44], 26),
}
CENTRES = {1: [], 7: [6, 22, 38], 8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50]}


def read_qr(modules: list[list[int]]) -> str:
    """Returns the text. Raises AssertionError if anything about the code is wrong."""
    version = (len(modules) - 17) // 4
    words = codewords(modules, version)
    sizes, checks = SHAPE[version]
    data: list[int] = []
    blocks = deinterleaved(words, sizes, checks)
    for block, size in zip(blocks, sizes, strict=True):
        assert all(value == 0 for value in syndromes(block, checks)), "a block does not check"
        data += block[:size]
    bits = "".join(f"{word:08b}" for word in data)
    assert bits[:4] == "0100", "not bytes"
    start = 12 if version < 10 else 20
    length = int(bits[4:start], 2)
    return bytes(int(bits[i : i + 8], 2) for i in range(start, start + 8 * length, 8)).decode()


def codewords(modules: list[list[int]], version: int) -> list[int]:
    size = len(modules)
    fixed = fixed_places(size, version)
    mask = mask_of(modules)
    bits = ""
    columns = [x for x in range(size - 1, -1, -1) if x != 6]
    for pair in range(0, len(columns), 2):
        rows = range(size - 1, -1, -1) if pair // 2 % 2 == 0 else range(size)
        for y in rows:
            for x in columns[pair : pair + 2]:
                if (x, y) not in fixed:
                    bits += str(modules[y][x] ^ masked(mask, x, y))
    return [int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8)]


def mask_of(modules: list[list[int]]) -> int:
    """The format around the first finder, which must say correction M, and be the same as its copy."""
    size = len(modules)
    first = [modules[8][x] for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [modules[y][8] for y in (7, 5, 4, 3, 2, 1, 0)]
    second = [modules[y][8] for y in range(size - 1, size - 8, -1)] + [modules[8][x] for x in range(size - 8, size)]
    assert first == second and modules[size - 8][8] == 1
    value = int("".join(map(str, first)), 2) ^ 0b101010000010010
    rest = value
    for shift in range(14, 9, -1):
        rest ^= (0b10100110111 << shift - 10) if rest >> shift & 1 else 0
    assert rest == 0, "the format does not check"
    assert value >> 13 == 0b00, "not correction M"
    return value >> 10 & 7


def masked(mask: int, x: int, y: int) -> int:
    product = x * y
    return int(
        [
            (x + y) % 2,
            y % 2,
            x % 3,
            (x + y) % 3,
            (y // 2 + x // 3) % 2,
            product % 2 + product % 3,
            (product % 2 + product % 3) % 2,
            ((x + y) % 2 + product % 3) % 2,
        ][mask]
        == 0
    )


def fixed_places(size: int, version: int) -> set[tuple[int, int]]:
    """Finders with their borders and formats, timing, alignment, and the version from 7 on."""
    found = {(x, y) for x in range(9) for y in range(9)}
    found |= {(size - 1 - x, y) for x in range(8) for y in range(9)} | {
        (x, size - 1 - y) for x in range(9) for y in range(8)
    }
    found |= {(6, i) for i in range(size)} | {(i, 6) for i in range(size)}
    centres = CENTRES.get(version, [6, size - 7])
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}
    for centre in [(x, y) for x in centres for y in centres if (x, y) not in corners]:
        found |= {(centre[0] + x, centre[1] + y) for x in range(-2, 3) for y in range(-2, 3)}
    if version >= 7:
        found |= {(x, size - 9 - y) for x in range(6) for y in range(3)} | {
            (size - 9 - x, y) for x in range(3) for y in range(6)
        }
    return found


def deinterleaved(words: list[int], sizes: list[int], checks: int) -> list[list[int]]:
    blocks: list[list[int]] = [[] for _ in sizes]
    stream = iter(words)
    for place in range(max(sizes)):
        for block, size in zip(blocks, sizes, strict=True):
            if place < size:
                block.append(next(stream))
    for _ in range(checks):
        for block in blocks:
            block.append(next(stream))
    return blocks


def syndromes(block: list[int], checks: int) -> list[int]:
    """The block as a polynomial at the first powers of 2 in GF(256): all zero if nothing is damaged."""
    powers = [1]
    for _ in range(254):
        powers.append(powers[-1] << 1 ^ (0x11D if powers[-1] & 128 else 0))
    logs = {value: exponent for exponent, value in enumerate(powers)}
    found = []
    for root in range(checks):
        value = 0
        for word in block:
            value = (powers[(logs[value] + root) % 255] if value else 0) ^ word
        found.append(value)
    return found
