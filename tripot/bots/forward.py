"""The forward pass of a network, for one row or for several, in native code: compiled by `core.jit`.

Weights lie by input, so that the inner loop adds scaled rows and the compiler can vectorise it. Most encoded columns
are 0, and so is half of each hidden layer: the weights behind them are skipped. Four rows of weights are added at a
time, since reading and writing the sums takes as long as the arithmetic; they are added in the order of the inputs.

Several rows pass layer by layer together: the weights of a layer then stay in the cache for all of them.
"""


def add_layer(row, weights, bias, out, used):
    """out = row × weights + bias; `used` is scratch for the inputs that are not 0."""
    count = 0
    for i in range(len(row)):
        used[count] = i
        count += row[i] != 0
    for j in range(len(out)):
        out[j] = bias[j]
    whole = count // 4 * 4
    for n in range(0, whole, 4):
        a, b, c, d = used[n], used[n + 1], used[n + 2], used[n + 3]
        w, x, y, z = row[a], row[b], row[c], row[d]
        first, second, third, fourth = weights[a], weights[b], weights[c], weights[d]
        for j in range(len(out)):
            out[j] = out[j] + w * first[j] + x * second[j] + y * third[j] + z * fourth[j]
    for n in range(whole, count):
        x = row[used[n]]
        line = weights[used[n]]
        for j in range(len(out)):
            out[j] += x * line[j]


def rectify(row):
    for j in range(len(row)):
        row[j] = max(row[j], 0)


def hidden_layers(rows, live, count, inputs, blocks, hidden, middle, more, used):
    """Leaves the last hidden layer of the first `count` live rows in `hidden`."""
    for n in range(count):
        add_layer(rows[live[n]], inputs[0], inputs[1], hidden[live[n]], used)
        rectify(hidden[live[n]])
    first, first_bias, second, second_bias = blocks
    for block in range(len(first)):
        for n in range(count):
            add_layer(hidden[live[n]], first[block], first_bias[block], middle[live[n]], used)
            rectify(middle[live[n]])
        for n in range(count):
            add_layer(middle[live[n]], second[block], second_bias[block], more[live[n]], used)
            line, added = hidden[live[n]], more[live[n]]
            for j in range(len(line)):
                line[j] = max(line[j] + added[j], 0)


def add_head(live, count, head, hidden, out, used):
    """Leaves the outputs of the live rows in `out`."""
    for n in range(count):
        add_layer(hidden[live[n]], head[0], head[1], out[live[n]], used)


def best_action(row, live, inputs, blocks, policy, mask, hidden, middle, more, logits, used):
    """The legal action with the largest logit; `mask` and actions are turned. All arrays have one row."""
    hidden_layers(row, live, 1, inputs, blocks, hidden, middle, more, used)
    add_head(live, 1, policy, hidden, logits, used)
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or logits[0][action] > logits[0][best]):
            best = action
    return best
