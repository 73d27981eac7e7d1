"""The speeds that Tripot aims for. Benchmark pages say which of them were reached."""

# Random play of Leduc poker on a CPU: how many times as fast as the other program.
LEDUC_TIMES = {"OpenSpiel": 5, "pgx": 20}
# Random play of the slowest of the three games, against OpenSpiel's card games of similar size.
CARD_GAME_TIMES = 1
# Random play of Hearts, the same game in both, without and with observations: how many times as fast as OpenSpiel.
HEARTS_TIMES = 3
# Billions of decisions a second on an H200: whole games, and the vector environment.
GPU_BILLIONS = {"leduc": (4.0, 4.0), "verrater": (2.0, 1.0), "trok": (0.667, 0.333), "trieste": (0.667, 0.333)}
