"""Trains the voice network of engine/voices on one utterance of each of many speakers.

    python3 lab/voices/train.py pack FOLDER speech.npz
    python3 lab/voices/train.py train speech.npz OUT
    python3 lab/voices/train.py join speech.npz OUT --recogniser encoder_model.onnx

`pack` reads the FLAC files with ffmpeg; `train` needs PyTorch and a GPU and takes about five
minutes: it writes `voices.onnx`. `join` (ONNX Runtime, two minutes) writes `voices.bin`, the matrix
behind the statistics of that network, of the cepstrum and of the second and third layer of
Moonshine's encoder (`@usefulsensors/moonshine-js`, `dist/model/base/quantized`). Every fifth
speaker, in the order of their numbers, is left out: `npm run lab -- speakers` reports on those.
Everything follows from the seed.
"""

import argparse
import math
import os
import subprocess
import time

import numpy as np

RATE, HOP, WIN, FFT, MELS = 16000, 160, 400, 512, 40
SPEEDS = (0.84, 0.92, 1.0, 1.08, 1.17)
STEPS, BATCH, WIDTH, SIZE, DROP, DECAY = 3000, 256, 96, 64, 0.2, 0.02


def pack(folder, target):
    names = sorted((n for n in os.listdir(folder) if n.endswith('.flac')),
        key=lambda n: int(n.split('-')[0]))
    parts, ids = [], []
    for name in names:
        raw = subprocess.run(
            ['ffmpeg', '-v', 'error', '-i', os.path.join(folder, name), '-f', 's16le', '-ac', '1',
                '-ar', '16000', '-'],
            capture_output=True, check=True).stdout
        sound = trim(np.frombuffer(raw, dtype=np.int16).astype(np.float32) / 32768)
        sound = sound / np.abs(sound).max() * 0.95
        # 8 bits by the mu law: far below the noise that training adds.
        parts.append(np.round(np.sign(sound) * np.log1p(255 * np.abs(sound)) / np.log(256)
            * 127).astype(np.int8))
        ids.append(name.split('-')[0])
    np.savez_compressed(target, x=np.concatenate(parts), n=np.array([len(p) for p in parts]),
        ids=np.array(ids))


def trim(sound):
    level = np.array([np.sqrt((sound[i:i + 320] ** 2).mean())
        for i in range(0, len(sound) - 320, 320)])
    loud = np.where(level > level.max() * 0.04)[0]
    return sound[loud[0] * 320:(loud[-1] + 1) * 320]


def unpack(file):
    data = np.load(file)
    y = data['x'].astype(np.float32) / 127
    sound = np.sign(y) * np.expm1(np.abs(y) * np.log(256)) / 255
    return np.split(sound, np.cumsum(data['n'])[:-1]), list(data['ids'])


# ---------------------------------------------------------------- sound into spectra

def mel_matrix(torch):
    mel = lambda hertz: 2595 * math.log10(1 + hertz / 700)
    step = (mel(7600) - mel(80)) / (MELS + 1)
    corner = [700 * (10 ** ((mel(80) + i * step) / 2595) - 1) for i in range(MELS + 2)]
    hertz = torch.arange(FFT // 2 + 1) * RATE / FFT
    rows = [torch.clamp(torch.minimum((hertz - a) / (b - a), (c - hertz) / (c - b)), min=0)
            for a, b, c in zip(corner, corner[1:], corner[2:])]
    return torch.stack(rows)


def log_mels(torch, sound, matrix):
    frames = sound.unfold(-1, WIN, HOP) * torch.hann_window(WIN, periodic=False,
        device=sound.device)
    power = torch.fft.rfft(frames, FFT).abs() ** 2
    return torch.log(power @ matrix.T + 1e-6)


def network_input(torch, mels, jitter=None):
    """The shape of each frame's spectrum, and its level below the loud frames."""
    level = mels.mean(-1, keepdim=True)
    loud = torch.quantile(level.squeeze(-1), 0.9, dim=-1)[:, None, None]
    if jitter is not None:
        loud = loud + jitter[:, None, None]
    return torch.cat([mels - level, (level - loud) * 0.5], -1).transpose(1, 2)


# ---------------------------------------------------------------- network

def make_network(torch, width, size, drop):
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, dilation):
            super().__init__()
            self.conv = nn.Conv1d(width, width, 3, dilation=dilation, padding=dilation)
            self.norm = nn.BatchNorm1d(width)

        def forward(self, x):
            return x + torch.relu(self.norm(self.conv(x)))

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Conv1d(MELS + 1, width, 5, padding=2)
            self.first_norm = nn.BatchNorm1d(width)
            self.blocks = nn.ModuleList([Block(d) for d in (1, 2, 3, 4)])
            self.last = nn.Conv1d(width, 2 * width, 1)
            self.last_norm = nn.BatchNorm1d(2 * width)
            self.weigh = nn.Conv1d(2 * width, 1, 1)
            self.pool_norm = nn.BatchNorm1d(4 * width)
            self.out = nn.Linear(4 * width, size)
            self.drop = nn.Dropout(drop)

        def frames(self, x):
            x = torch.relu(self.first_norm(self.first(x)))
            for block in self.blocks:
                x = block(x)
            x = torch.relu(self.last_norm(self.last(x)))
            return x, torch.sigmoid(self.weigh(x))

        def forward(self, x):
            x, weight = self.frames(x)
            total = weight.sum(-1) + 1e-6
            mean = (x * weight).sum(-1) / total
            square = (x * x * weight).sum(-1) / total
            deviation = torch.sqrt(torch.clamp(square - mean * mean, min=1e-4))
            return self.out(self.drop(self.pool_norm(torch.cat([mean, deviation], 1))))

    return Network()


class Studio:
    """Cuts windows out of the voices and plays them in made rooms, on the GPU."""

    def __init__(self, torch, voices, device, seed):
        self.torch, self.device = torch, device
        self.random = torch.Generator(device=device).manual_seed(seed)
        self.sound = torch.cat([torch.as_tensor(v / (v.std() + 1e-9) * 0.05, dtype=torch.float32)
            for v in voices]).to(device)
        lengths = [len(v) for v in voices]
        self.length = torch.tensor(lengths, device=device)
        self.start = torch.tensor(np.cumsum([0] + lengths[:-1]), device=device)

    def uniform(self, count, low, high):
        return self.torch.rand(count, generator=self.random, device=self.device) * (high
            - low) + low

    def normal(self, *shape):
        return self.torch.randn(*shape, generator=self.random, device=self.device)

    def cut(self, voice, samples, share=None):
        """A window of each voice; a voice that is too short is repeated."""
        torch = self.torch
        room = torch.clamp(self.length[voice] - samples, min=0)
        share = self.uniform(len(voice), 0, 1) if share is None else share
        at = (share * (room + 1)).long().clamp(max=room.max())
        at = torch.minimum(at, room)
        index = (at[:, None] + torch.arange(samples, device=self.device)) % self.length[voice][:,
            None]
        return self.sound[self.start[voice][:, None] + index]

    def play(self, x, colours, same=None):
        """`colours`: each through a microphone with its own curve. `same`: seconds of the room,
        decibels and colour of the noise, for all alike."""
        torch = self.torch
        count, samples = x.shape
        size = 1 << (samples + 8000).bit_length()
        # A room: a decaying noise behind the direct sound, for four windows in five.
        seconds, decibels, colour = (
            self.uniform(count, 0.08, 0.45), self.uniform(count, 10, 35), self.uniform(count, 0, 1))
        if same is not None:
            seconds, decibels, colour = (torch.full_like(seconds, value) for value in same)
        t = torch.arange(8000, device=self.device) / RATE
        tail = self.normal(count, 8000) * torch.exp(-6.9 * t / seconds[:, None])
        tail = tail * self.uniform(count, 0.01, 0.07)[:,
            None] * (self.uniform(count, 0, 1) < 0.8)[:, None]
        tail[:, 0] = 1
        spectrum = torch.fft.rfft(x, size) * torch.fft.rfft(tail, size)
        if colours:
            # A microphone: a smooth curve of a few decibels.
            knots = self.normal(count, 1, 6)
            curve = torch.nn.functional.interpolate(knots, size // 2 + 1, mode='linear',
                align_corners=True)[:, 0]
            spectrum = spectrum * 10 ** (curve / 20)
        x = torch.fft.irfft(spectrum, size)[:, :samples]
        hiss = torch.fft.rfft(self.normal(count, samples))
        hertz = torch.arange(hiss.shape[1], device=self.device) + 20.0
        hiss = torch.fft.irfft(hiss / hertz ** colour[:, None], samples)
        hiss = hiss / hiss.std(1, keepdim=True)
        x = x + hiss * x.std(1, keepdim=True) * 10 ** (-decibels[:, None] / 20)
        return x * 10 ** (self.uniform(count, -12, 8)[:, None] / 20)


def resample(torch, sound, speed):
    """Faster and higher, by Fourier."""
    if speed == 1:
        return sound
    samples = int(len(sound) / speed)
    spectrum = torch.fft.rfft(torch.as_tensor(sound))
    wanted = samples // 2 + 1
    out = torch.zeros(wanted, dtype=spectrum.dtype)
    count = min(wanted, len(spectrum))
    out[:count] = spectrum[:count]
    return torch.fft.irfft(out, samples).numpy() * samples / len(sound)


def train(options):
    import torch
    torch.manual_seed(options.seed)
    device = 'cuda'
    voices, ids = unpack(options.source)
    known = [i for i in range(len(ids)) if i % 5 != 4]
    unseen = [i for i in range(len(ids)) if i % 5 == 4]
    classes = [resample(torch, voices[i], speed) for i in known for speed in SPEEDS]
    studio = Studio(torch, classes, device, options.seed)
    matrix = mel_matrix(torch).to(device)
    network = make_network(torch, WIDTH, SIZE, DROP).to(device)
    head = torch.nn.Parameter(torch.randn(len(classes), SIZE, device=device) * 0.1)
    optimiser = torch.optim.AdamW([{'params': network.parameters(), 'weight_decay': DECAY},
        {'params': [head], 'weight_decay': 1e-4}], lr=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, STEPS, pct_start=0.1)
    began = time.time()
    for step in range(STEPS):
        samples = int(RATE * (0.8, 1.2, 1.6, 2.4)[step % 4])
        voice = torch.randint(len(classes), (BATCH,), generator=studio.random, device=device)
        with torch.no_grad():
            mels = log_mels(torch, studio.play(studio.cut(voice, samples), True), matrix)
            x = network_input(torch, mels, studio.normal(BATCH) * 1.0)
            # Hide some bands and some time.
            band = (studio.uniform(BATCH, 0, MELS)).long()
            wide = (studio.uniform(BATCH, 0, 7)).long()
            place = torch.arange(MELS + 1, device=device)
            hidden = (place >= band[:, None]) & (place < (band + wide)[:, None])
            x = x.masked_fill(hidden[:, :, None], 0)
        network.train()
        cosine = torch.nn.functional.normalize(network(x)) @ torch.nn.functional.normalize(head).T
        margin = 0.2 * min(1, step / (STEPS * 0.3))
        own = cosine[torch.arange(len(voice)), voice].clamp(-0.999, 0.999)
        cosine = cosine.clone()
        cosine[torch.arange(len(voice)), voice] = torch.cos(torch.acos(own) + margin)
        loss = torch.nn.functional.cross_entropy(cosine * 30, voice)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        if (step + 1) % (STEPS // 8) == 0:
            print(f'step {step + 1} loss {loss.item():.3f} '
                  f'seconds {time.time() - began:.0f} '
                  + report(torch, network, voices, unseen, matrix, device), flush=True)
    os.makedirs(options.out, exist_ok=True)
    learn = sessions(torch, voices, known, device, 11, rounds=4)
    write_weights(torch, network, options.out, learn, matrix)


# ---------------------------------------------------------------- how well speakers are told apart

def sessions(torch, voices, chosen, device, seed, seconds=1.5, rounds=3, hop=0.5):
    """Windows of each speaker, each speaker in one room, in the order of time."""
    studio = Studio(torch, [voices[i] for i in chosen], device, seed)
    parts = []
    for turn in range(rounds):
        same = [studio.uniform(1, low, high).item() for low, high in ((0.1, 0.4), (14, 32), (0, 1))]
        for at in range(len(chosen)):
            whole = studio.cut(torch.tensor([at], device=device),
                max(1, int(studio.length[at]) // 16000) * 16000, torch.zeros(1, device=device))
            heard = studio.play(whole, False, same)[0]
            for start in range(0, len(heard) - int(seconds * RATE), int(hop * RATE)):
                parts.append((turn, at, start / RATE, heard[start:start + int(seconds * RATE)]))
    return parts


def equal_error(torch, embedding, parts, seconds=1.5):
    turn = torch.tensor([p[0] for p in parts], device=embedding.device)
    who = torch.tensor([p[1] for p in parts], device=embedding.device)
    when = torch.tensor([p[2] for p in parts], device=embedding.device)
    same, other = [], []
    for one in range(int(turn.max()) + 1):
        pick = turn == one
        e = torch.nn.functional.normalize(embedding[pick])
        score = e @ e.T
        alike = who[pick][:, None] == who[pick][None]
        apart = (when[pick][:, None] - when[pick][None]).abs() >= seconds
        upper = torch.triu(torch.ones_like(score), 1) > 0
        same.append(score[alike & apart & upper])
        other.append(score[~alike & upper])
    same, other = torch.sort(torch.cat(same))[0], torch.sort(torch.cat(other))[0]
    cuts = torch.linspace(-1, 1, 4001, device=same.device)
    missed = torch.searchsorted(same, cuts) / len(same)
    false = 1 - torch.searchsorted(other, cuts) / len(other)
    at = (missed - false).abs().argmin()
    return ((missed + false)[at] / 2).item()


def embed(torch, network, parts, matrix):
    network.eval()
    out = []
    with torch.no_grad():
        for at in range(0, len(parts), 512):
            sound = torch.stack([p[3] for p in parts[at:at + 512]])
            out.append(network(network_input(torch, log_mels(torch, sound, matrix))))
    return torch.cat(out)


def report(torch, network, voices, unseen, matrix, device):
    parts = sessions(torch, voices, unseen, device, 7)
    return f'EER {100 * equal_error(torch, embed(torch, network, parts, matrix), parts):.2f} %'


def statistics(torch, parts, matrix):
    """The baseline: mean and deviation of 24 cepstra and deviation of their steps."""
    out = []
    dct = torch.stack([torch.cos(math.pi * k * (torch.arange(MELS) + 0.5) / MELS)
        for k in range(24)]).to(matrix.device)
    for at in range(0, len(parts), 512):
        c = log_mels(torch, torch.stack([p[3] for p in parts[at:at + 512]]), matrix) @ dct.T
        weight = torch.sigmoid((c[..., :1] - torch.quantile(c[..., 0], 0.3, dim=1)[:, None,
            None]) / 10)
        mean = (c * weight).sum(1) / weight.sum(1)
        deviation = torch.sqrt((((c - mean[:, None]) ** 2) * weight).sum(1) / weight.sum(1) + 1e-3)
        step = torch.sqrt(((c[:, 4:] - c[:, :-4]) ** 2).mean(1) + 1e-3)
        out.append(torch.cat([mean[:, 1:], deviation.log(), step.log()], 1))
    return torch.cat(out)


def discriminant(torch, x, parts, dims, shrink=0.02):
    key = [(p[0], p[1]) for p in parts]
    groups = {}
    for at, one in enumerate(key):
        groups.setdefault(one, []).append(at)
    mean, deviation = x.mean(0), x.std(0)
    z = (x - mean) / deviation
    within = torch.zeros(z.shape[1], z.shape[1], device=z.device)
    centres = {}
    for (turn, _), rows in groups.items():
        if len(rows) < 3:
            continue
        centre = z[rows].mean(0)
        d = z[rows] - centre
        within += d.T @ d / len(rows)
        centres.setdefault(turn, []).append(centre)
    within /= len(groups)
    several = [torch.stack(c) for c in centres.values() if len(c) > 1]
    between = sum(torch.cov(c.T) for c in several) / len(several)
    within += shrink * torch.eye(len(within), device=z.device) * within.trace() / len(within)
    inverse = torch.linalg.inv(torch.linalg.cholesky(within))
    values, vectors = torch.linalg.eigh(inverse @ between @ inverse.T)
    order = values.argsort(descending=True)[:dims]
    scale = torch.sqrt(values[order] / (values[order] + 1))
    return lambda y: ((y - mean) / deviation) @ (inverse.T @ vectors[:, order]) * scale


# ---------------------------------------------------------------- with the layers of a recogniser

RECOGNISER_LAYERS = [f'/layers.{layer}/Add_1_output_0' for layer in (1, 2)]
RECOGNISER_STEP = 384 / RATE


def conversations(torch, voices, device, seed, rounds, seconds=1.5, hop=0.75, stretch=15):
    """Stretches of conversations between four, each in one room, with the windows of one speaker.

    The recogniser compares all of the sound that it is given, so that a voice alone would sound
    otherwise than between others.
    """
    random = np.random.default_rng(seed)
    studio = Studio(torch, [np.ones(10, np.float32)], device, seed)
    stretches = []
    for turn in range(rounds):
        order = random.permutation(len(voices))
        for group, first in enumerate(range(0, len(order) - 3, 4)):
            pieces = take_turns([(int(i), voices[i]) for i in order[first:first + 4]], random)
            same = [random.uniform(0.1, 0.4), random.uniform(14, 32), random.uniform(0, 1)]
            sound = torch.as_tensor(np.concatenate([piece for _, piece in pieces]),
                dtype=torch.float32, device=device)
            heard = studio.play(sound[None], False, same)[0]
            windows, at = [], 0
            for who, piece in pieces:
                if who >= 0:
                    count = int((len(piece) - seconds * RATE) // (hop * RATE)) + 1
                    windows += [(who, at / RATE + step * hop) for step in range(count)]
                at += len(piece)
            for start in range(0, len(heard), (stretch - 1) * RATE):
                part = heard[start:start + stretch * RATE]
                inside = [(turn * 10_000 + group, who, when, when - start / RATE) for who,
                    when in windows
                          if 0 <= when - start / RATE < stretch - 1 and when + seconds <= (start
                              + len(part)) / RATE]
                if inside:
                    stretches.append((part, inside))
    return stretches


def take_turns(people, random):
    left = {who: sound / (sound.std() + 1e-9) * 0.05 * 10 ** (random.uniform(-3, 3) / 20) for who,
        sound in people}
    pieces, last = [], None
    while able := [who for who in left if who != last and len(left[who]) >= 1.5 * RATE]:
        last = int(random.choice(able))
        count = int(min(len(left[last]), random.uniform(1.5, 6) * RATE))
        pieces.append((last, left[last][:count]))
        left[last] = left[last][count:]
        if random.uniform() > 0.3:
            pieces.append((-1, np.zeros(int(random.uniform(0.05, 0.7) * RATE), np.float32)))
    return pieces


def open_recogniser(file):
    """The first three layers of the encoder."""
    import onnx
    import onnxruntime
    model = onnx.load(file)
    needed, kept = set(RECOGNISER_LAYERS), []
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            kept.insert(0, node)
            needed.update(node.input)
    tensors = [tensor for tensor in model.graph.initializer if tensor.name in needed]
    for field in ('node', 'initializer', 'value_info', 'output'):
        del getattr(model.graph, field)[:]
    model.graph.node.extend(kept)
    model.graph.initializer.extend(tensors)
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name)
        for name in RECOGNISER_LAYERS)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options,
        providers=['CPUExecutionProvider'])


def joined_statistics(torch, stretches, network, recogniser, matrix, seconds=1.5):
    """Rows of what engine/voices measures in a window: network, cepstrum, recogniser."""
    from concurrent.futures import ThreadPoolExecutor
    device = matrix.device

    def hear(item):
        sound, windows = item
        layers = np.concatenate([x[0] for x in recogniser.run(RECOGNISER_LAYERS,
            {'input_values': sound.cpu().numpy()[None]})], 1)
        place = lambda when: round(when / RECOGNISER_STEP)
        return [layers[place(at):place(at + seconds)].mean(0) for *_, at in windows]

    with ThreadPoolExecutor(16) as pool:
        heard = [row for rows in pool.map(hear, stretches) for row in rows]
    rows, parts = [], []
    for sound, windows in stretches:
        spectra = network_input(torch, log_mels(torch, sound[None], matrix)).cpu().numpy()
        frames, weights = (torch.as_tensor(x[0], device=device)
            for x in network.run(None, {'spectra': spectra}))
        for conversation, who, when, at in windows:
            pick = slice(round(at * 100), round((at + seconds) * 100))
            x, weight = frames[:, pick], weights[:, pick]
            total = weight.sum() + 1e-6
            mean = (x * weight).sum(1) / total
            square = (x * x * weight).sum(1) / total
            rows.append(torch.cat([mean, torch.sqrt(torch.clamp(square - mean * mean, min=1e-4))]))
            start = round(at * RATE)
            parts.append((conversation, who, when, sound[start:start + int(seconds * RATE)]))
    cepstrum = statistics(torch, parts, matrix)
    return torch.cat([torch.stack(rows), cepstrum, torch.as_tensor(np.array(heard),
        device=device)], 1), parts


def join(options):
    import onnxruntime
    import torch
    device = 'cuda'
    torch.manual_seed(options.seed)
    voices, ids = unpack(options.source)
    matrix = mel_matrix(torch).to(device)
    network = onnxruntime.InferenceSession(os.path.join(options.out, 'voices.onnx'),
        providers=['CPUExecutionProvider'])
    recogniser = open_recogniser(options.recogniser)
    measure = lambda chosen, speeds, seed, rounds: joined_statistics(
        torch, conversations(torch, [resample(torch, voices[i], speed) for i in chosen
            for speed in speeds], device, seed, rounds),
        network, recogniser, matrix)
    learn, parts = measure([i for i in range(len(ids)) if i % 5 != 4], SPEEDS, 3, 3)
    project = discriminant(torch, learn, parts, 64, shrink=0.3)
    tuned, others = measure([i for i in range(len(ids)) if i % 10 == 4], (1.0,), 5, 6)
    cut = tuned.shape[1] - 2 * 416
    alone = discriminant(torch, learn[:, :cut], parts, 64)
    without = equal_error(torch, alone(tuned[:, :cut]), others)
    joined = equal_error(torch, project(tuned), others)
    print(f'EER of 1.5 s: without the recogniser {100 * without:.2f} %, '
          f'with it {100 * joined:.2f} %', flush=True)
    offset = project(torch.zeros(1, learn.shape[1], device=device))[0]
    rows = (project(torch.eye(learn.shape[1], device=device)) - offset).T
    whole = torch.cat([rows, offset[:, None]], 1).cpu()
    whole.numpy().astype('<f4').tofile(os.path.join(options.out, 'voices.bin'))
    print('matrix', tuple(whole.shape), flush=True)


# ---------------------------------------------------------------- weights into a file

def write_weights(torch, network, folder, learn, matrix):
    """The layers up to the frames as ONNX; all that follows is linear and becomes one matrix."""
    joined = torch.cat([embed(torch, network, learn, matrix), statistics(torch, learn, matrix)], 1)
    project = discriminant(torch, joined, learn, 64)
    offset = project(torch.zeros(1, joined.shape[1], device=joined.device))[0]
    rows = (project(torch.eye(joined.shape[1], device=joined.device)) - offset).T.cpu()
    network = network.cpu().eval()
    norm, size = network.pool_norm, network.out.out_features
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    first = rows[:, :size] @ (network.out.weight * scale)
    offset = offset.cpu() + rows[:, :size] @ (network.out.bias
        + network.out.weight @ (norm.bias - norm.running_mean * scale))
    whole = torch.cat([first, rows[:, size:], offset[:, None]], 1)
    whole.detach().numpy().astype('<f4').tofile(os.path.join(folder, 'voices.bin'))
    print('matrix', tuple(whole.shape), flush=True)

    class Frames(torch.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner.frames(x)

    torch.onnx.export(Frames(network).eval(), (torch.zeros(1, MELS + 1, 300),),
        os.path.join(folder, 'voices.onnx'),
                      dynamo=False, opset_version=17,
                      input_names=['spectra'], output_names=['frames', 'weights'],
                      dynamic_axes={'spectra': {2: 'time'}, 'frames': {2: 'time'},
                          'weights': {2: 'time'}})


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('what', choices=['pack', 'train', 'join'])
    parser.add_argument('source')
    parser.add_argument('out')
    parser.add_argument('--recogniser')
    parser.add_argument('--seed', type=int, default=1)
    chosen = parser.parse_args()
    if chosen.what == 'pack':
        pack(chosen.source, chosen.out)
    elif chosen.what == 'join':
        join(chosen)
    else:
        train(chosen)
