"""Trains the classifier of gradual changes and writes engine/shots/weights/shot-classifier.onnx.

    python3 lab/shots/train-shot-classifier.py FRAMES.npz OUT [--seconds 960] [--seed 1]

Needs PyTorch and a GPU; 16 minutes on an H200 gave the weights of the repository (twelve thousand
steps). FRAMES.npz holds footage that is not measured later:

    frames  uint8 [n, 3456]  small frames of all clips as ffmpeg gives them (64 x 36, yuv420p)
    shots   int [m, 2]       first frame and the frame after the last of stretches without a change
    looked  int [k, 5]       windows that a person looked at: first frame, the frame after the last,
                             first and last of their clip, and 1 where they are a change, else 0

Changes are mixed from the shots (dissolves, fades, wipes, pushes); against them stand the same
shots untouched or with a moving camera, something that passes, moving light, titles, cuts, flashes
and things on a plain ground. Figures: docs/decisions/0060.
"""
import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

FRAMES = 32
WIDTH, HEIGHT = 64, 36
LUMA = WIDTH * HEIGHT
BATCH = 256
DISSOLVE, FADE, WIPE, PUSH, NOTHING, PASSING, LIGHT, TITLE, CUT, FLASH, PLAIN, LOOKED = range(12)
SHARES = [.24, .10, .12, .05, .14, .10, .06, .05, .05, .04, .05]
DEVICE = 'cuda'


def uniform(*shape):
    return torch.rand(*shape, device=DEVICE)


def normal(*shape):
    return torch.randn(*shape, device=DEVICE)


def over_pixels(value):
    return value[..., None, None, None]


def places(start, end):
    """The frames that are seen of a window; engine/shots/shot-classifier.ts has the same rule."""
    length = end - start
    beside = length * .75 + 3
    steps = torch.linspace(0, 1, FRAMES, device=DEVICE)[None]
    return torch.round((start - beside)[:, None] + (length + 2 * beside)[:, None] * steps)


def unpack(yuv):
    """Small frames to [.., 3, 36, 64]."""
    shape = yuv.shape[:-1]
    yuv = yuv.float()
    luma = yuv[..., :LUMA].reshape(*shape, 1, HEIGHT, WIDTH)
    chroma = yuv[..., LUMA:].reshape(*shape, 2, HEIGHT // 2, WIDTH // 2)
    return torch.cat([luma, chroma.repeat_interleave(2, -1).repeat_interleave(2, -2)], -3)


def pack(pictures):
    """[b, t, 3, 36, 64] to what the network sees: [b, 6, t, 18, 32], luma as four planes."""
    count, times = pictures.shape[:2]
    luma = pictures[:, :, 0].reshape(count, times, 18, 2, 32, 2).permute(0, 1, 3, 5, 2, 4)
    chroma = pictures[:, :, 1:].reshape(count, times, 2, 18, 2, 32, 2).mean((4, 6))
    seen = torch.cat([(luma.reshape(count, times, 4, 18, 32) - 110) / 60, (chroma - 128) / 25], 2)
    return seen.permute(0, 2, 1, 3, 4).contiguous()


class Films:
    """Makes batches of windows with and without a change."""

    def __init__(self, file):
        data = np.load(file)
        self.bank = torch.tensor(data['frames']).to(DEVICE)
        self.shots = torch.tensor(data['shots'][:, :2]).to(DEVICE)
        self.looked = torch.tensor(data['looked']).to(DEVICE)
        lengths = self.shots[:, 1] - self.shots[:, 0]
        self.weights = lengths.float().clamp(max=150).sqrt()
        rows = torch.linspace(-1, 1, HEIGHT, device=DEVICE)
        columns = torch.linspace(-1, 1, WIDTH, device=DEVICE)
        self.y, self.x = torch.meshgrid(rows, columns, indexing='ij')

    def pick(self, count):
        return self.shots[torch.multinomial(self.weights, count, replacement=True)]

    def walk(self, shot, anchor, place, speed):
        """Frame numbers within a shot, played to and fro where it is too short."""
        length = (shot[:, 1] - shot[:, 0])[:, None].float()
        period = 2 * (length - 1).clamp(min=1)
        at = torch.remainder(anchor[:, None] + place * speed[:, None], period)
        at = torch.minimum(at, period - at).round().long().clamp(min=0)
        return (shot[:, :1] + at).minimum(shot[:, 1:2] - 1)

    def warp(self, pictures, zoom, dx, dy):
        count = pictures.shape[0]
        across = self.x[None, None] * zoom[..., None, None] + dx[..., None, None]
        down = self.y[None, None] * zoom[..., None, None] + dy[..., None, None]
        grid = torch.stack([across, down], -1).reshape(count * FRAMES, HEIGHT, WIDTH, 2)
        flat = pictures.reshape(count * FRAMES, 3, HEIGHT, WIDTH)
        moved = F.grid_sample(flat, grid, padding_mode='reflection', align_corners=True)
        return moved.reshape(pictures.shape)

    def move_camera(self, pictures, share):
        """Pan, whip, zoom, shake or rest over a crop, for this share of the windows."""
        count = pictures.shape[0]
        time_ = torch.linspace(0, 1, FRAMES, device=DEVICE)[None].expand(count, -1)
        chances = torch.tensor([3., 2, 2, 2, 2], device=DEVICE)
        kind = torch.multinomial(chances, count, replacement=True)[:, None]
        none = torch.zeros_like(time_)
        crop = .35 + .5 * uniform(count, 1)
        room = 1 - crop
        angle = uniform(count, 1) * 2 * math.pi
        smooth = torch.sigmoid((time_ - uniform(count, 1)) / (.03 + .25 * uniform(count, 1)) * 2)
        steady = ((time_ - .5) * (.5 + 1.5 * uniform(count, 1)) + normal(count, 1) * .2).clamp(-1,
            1)
        path = torch.where(kind == 1, smooth * 2 - 1, torch.where(kind == 0, steady, none))
        shake = torch.cumsum(normal(count, FRAMES, 2), 1) * .15 * uniform(count, 1, 1)
        shake = shake + normal(count, FRAMES, 2) * .25 * uniform(count, 1, 1) ** 2
        shake = torch.where((kind == 3)[..., None], shake, torch.zeros_like(shake))
        way = torch.where(uniform(count, 1) < .5, 1., -1.)
        zoom = crop * torch.where(kind == 2, torch.exp((smooth * 2 - 1) * .5 * way), none + 1)
        dx = (path * torch.cos(angle) + shake[..., 0]).clamp(-1, 1) * room
        dy = (path * torch.sin(angle) + shake[..., 1]).clamp(-1, 1) * room
        rests = kind == 4
        zoom = torch.where(rests, crop.expand_as(time_), zoom.clamp(max=1.))
        dx = torch.where(rests, room * (2 * uniform(count, 1) - 1) + none, dx)
        dy = torch.where(rests, none, dy)
        moved = self.warp(pictures, zoom, dx, dy)
        # Whips are blurred.
        pace = none.clone()
        pace[:, 1:] = (dx[:, 1:] - dx[:, :-1]).abs() + (dy[:, 1:] - dy[:, :-1]).abs()
        flat = moved.reshape(-1, 3, HEIGHT, WIDTH)
        blurred = F.avg_pool2d(flat, (3, 9), 1, (1, 4),
            count_include_pad=False).reshape(moved.shape)
        blur = over_pixels((pace / .12).clamp(0, 1))
        moved = moved * (1 - blur) + blurred * blur
        return torch.where(over_pixels((uniform(count) < share)[:, None]), moved, pictures)

    def wipe_mask(self, done):
        """1 where the new picture shows."""
        count = done.shape[0]
        chances = torch.tensor([5., 1.5, 1., 1., 1.], device=DEVICE)
        kind = torch.multinomial(chances, count, replacement=True)[:, None, None]
        right = (uniform(count, 1, 1) * 4).floor() * math.pi / 2
        angle = torch.where(uniform(count, 1, 1) < .75, right, uniform(count, 1, 1) * 2 * math.pi)
        cos, sin = torch.cos(angle), torch.sin(angle)
        line = ((self.x[None] * cos + self.y[None] * sin) / (cos.abs() + sin.abs()) + 1) / 2
        circle = (torch.sqrt(self.x[None] ** 2 + (self.y[None] * .6) ** 2) / 1.17).expand(count,
            -1, -1)
        sides = (one[None].abs().expand(count, -1, -1) for one in (self.x, self.y))
        doors = torch.where(uniform(count, 1, 1) < .5, *sides)
        clock = (torch.atan2(self.y, self.x)[None] / (2 * math.pi) + .5).expand(count, -1, -1)
        cloud = F.interpolate(uniform(count, 1, 5, 8), (HEIGHT, WIDTH), mode='bilinear')[:, 0]
        order = cloud
        for index, one in enumerate((line, circle, doors, clock)):
            order = torch.where(kind == index, one, order)
        order = torch.where(uniform(count, 1, 1) < .3, 1 - order, order)
        soft = .02 + .3 * uniform(count, 1)
        soft = torch.where(uniform(count, 1) < .6, torch.full_like(soft, .01), soft)[..., None,
            None]
        return ((done[..., None, None] * (1 + soft) - order[:, None]) / soft).clamp(0, 1)

    def fade(self, old, new, done, colour):
        count = done.shape[0]
        which = uniform(count)
        turn = torch.where(which < .6, .3 + .4 * uniform(count), (which < .8).float())[:, None]
        hold = (uniform(count) * .25)[:, None]
        down = ((turn - done) / (turn - hold * turn).clamp(min=.05)).clamp(0, 1)
        rest = 1 - turn - hold * (1 - turn)
        up = ((done - turn - hold * (1 - turn)) / rest.clamp(min=.05)).clamp(0, 1)
        down = torch.where(turn <= 0, (done <= 0).float(), down)
        up = torch.where(turn >= 1, 0 * up, up)
        down, up = over_pixels(down), over_pixels(up)
        rising = colour * (1 - up) + new * up
        first = over_pixels((done < turn).float())
        faded = first * (old * down + colour * (1 - down)) + (1 - first) * rising
        return torch.where(over_pixels(turn <= 0), rising, faded)

    def push(self, old, new, done):
        count = done.shape[0]
        lies = uniform(count, 1) < .7
        way = torch.where(uniform(count, 1) < .5, 1., -1.)
        shift, still, whole = 2 * done * way, 0 * done, torch.ones_like(done)
        leaving = self.warp(old, whole, torch.where(lies, shift, still),
            torch.where(lies, still, shift))
        behind = shift - 2 * way
        coming = self.warp(new, whole, torch.where(lies, behind, still),
            torch.where(lies, still, behind))
        axis = torch.where(lies[..., None, None], self.x.expand(count, 1, -1, -1),
            self.y.expand(count, 1, -1, -1))
        mask = ((axis + shift[..., None, None]).abs() <= 1).float()[:, :, None]
        return leaving * mask + coming * (1 - mask)

    def pass_by(self, old, new, place, length):
        """A blob of another shot moves in, through or out, never all over the picture for good."""
        count = length.shape[0]
        wide, high = .25 + .75 * uniform(count, 1), .3 + .9 * uniform(count, 1)
        angle = uniform(count, 1) * 2 * math.pi
        first = 1.4 + uniform(count, 1) * 1.2
        last = torch.where(uniform(count, 1) < .5, -first * uniform(count, 1) * .9,
            uniform(count, 1) * .9 + .1)
        late = normal(count, 1) * .2 * length[:, None]
        way = ease((place - late) / (length[:, None] * (.5 + uniform(count, 1))), uniform(count))
        far = first * (1 - way) + last * way
        far = torch.where(uniform(count, 1) < .5, far, far.flip(1))
        across = (far * torch.cos(angle))[..., None, None]
        down = (far * torch.sin(angle))[..., None, None]
        power = 2 + 2 * uniform(count, 1, 1, 1)
        wobble = .35 * (F.interpolate(uniform(count, 1, 4, 6), (HEIGHT, WIDTH), mode='bilinear')
            - .5)
        radius = ((self.x - across).abs() / wide[..., None, None]).pow(power)
        radius = radius + ((self.y - down).abs() / high[..., None, None]).pow(power) + wobble
        mask = ((1.05 - radius) / (.05 + .4 * uniform(count, 1, 1, 1))).clamp(0, 1)[:, :, None]
        dark = .15 + .5 * uniform(count, 1, 1, 1, 1)
        dark = torch.where(uniform(count, 1, 1, 1, 1) < .45, dark, torch.ones_like(dark))
        mean = new.mean((3, 4), keepdim=True)
        body = torch.where(uniform(count, 1, 1, 1, 1) < .5, mean + (new - mean) * .3, new)
        body = torch.cat([16 + (body[:, :, :1] - 16) * dark, 128 + (body[:, :, 1:] - 128) * dark],
            2)
        return old * (1 - mask) + body * mask

    def move_light(self, old, done):
        count = done.shape[0]
        gains = [torch.exp(normal(count, 1) * .35) for _ in range(2)]
        offsets = [normal(count, 1) * 20 for _ in range(2)]
        flicker = torch.where(uniform(count, 1) < .3, normal(count, FRAMES) * .15, 0 * done)
        gain = over_pixels(gains[0] * (1 - done) + gains[1] * done + flicker)
        offset = over_pixels(offsets[0] * (1 - done) + offsets[1] * done)
        spot = F.interpolate(uniform(count, 1, 3, 4), (HEIGHT, WIDTH), mode='bilinear')[:, :,
            None] * 1.4
        spot = torch.where(uniform(count, 1, 1, 1, 1) < .5, torch.ones_like(spot), spot)
        luma = old[:, :, :1]
        lit = luma * (1 - spot) + spot * ((luma - 16) * gain + 16 + offset)
        return torch.cat([lit, 128 + (old[:, :, 1:] - 128) * gain], 2)

    def add_title(self, old, done):
        count = done.shape[0]
        centre = [uniform(count, 1, 1) * 1.6 - .8 for _ in range(2)]
        wide, high = .15 + .7 * uniform(count, 1, 1), .06 + .5 * uniform(count, 1, 1)
        box = ((self.x - centre[0]).abs() < wide) & ((self.y - centre[1]).abs() < high)
        letters = F.interpolate(uniform(count, 1, 18, 32), (HEIGHT, WIDTH), mode='nearest')[:,
            0] > .5
        box = torch.where(uniform(count, 1, 1) < .6, box & letters, box).float()[:, None, None]
        shown = torch.where(uniform(count, 1) < .5, done, (done > .3).float())
        shown = over_pixels(torch.where(uniform(count, 1) < .3, 1 - shown, shown)) * box
        return old * (1 - shown) + any_colour(count, 25) * shown

    def put_on_plain(self, new, done):
        count = done.shape[0]
        size = .15 + .4 * uniform(count, 1)
        across = (.8 * (2 * uniform(count, 1) - 1) * done + normal(count, 1) * .3)[..., None, None]
        down = (1.6 * (2 * uniform(count, 1) - 1) * (done - uniform(count, 1)))[..., None, None]
        size = size[..., None, None]
        mask = (((self.x - across) / size) ** 2
            + ((self.y - down) / (1.3 * size)) ** 2 < 1).float()[:, :, None]
        ground = any_colour(count, 15) + 20 * (uniform(count, 1, 1, 1, 1) - .5) * self.x
        thing = torch.where(uniform(count, 1, 1, 1, 1) < .5, new, 16 + .3 * (new - 16))
        return ground * (1 - mask) + thing * mask

    def batch(self, count):
        """What the network sees, log2 of the length, 1, 0 or -1 (not asked), and the kind."""
        kind = torch.multinomial(torch.tensor(SHARES, device=DEVICE), count, replacement=True)
        is_change = kind < NOTHING
        truth = is_change.float()
        length = torch.exp(uniform(count) * math.log(20) + math.log(3)).round()
        # The rules propose windows that are off, and often too wide.
        jitter = lambda: (normal(count) * .18 * length).clamp(-.4 * length, .4 * length)
        grow = (uniform(count) < .4).float() * uniform(count) * .5 * length
        start = (jitter() - grow).round()
        end = torch.maximum((length + jitter() + grow).round(), start + 5)
        place = places(start, end)
        speed = torch.where(uniform(count) < .4, torch.full_like(length, .5), 1 + uniform(count)
            * 4)
        speed = torch.where(uniform(count) < .7, torch.ones_like(length), speed)
        speed = torch.where(uniform(count) < .06, 0 * speed, speed)
        speed = torch.where(~is_change & (uniform(count) < .35), 1 + uniform(count) * 5, speed)
        one, other = self.pick(count), self.pick(count)
        span = (one[:, 1] - one[:, 0]).float()
        anchor = uniform(count) * span
        other_anchor = uniform(count) * (other[:, 1] - other[:, 0])
        # One in five stays within one set-up.
        same = uniform(count) < .2
        other = torch.where(same[:, None], one, other)
        other_anchor = torch.where(same, torch.remainder(anchor + span
            * (.35 + .3 * uniform(count)), span), other_anchor)
        truth = torch.where(same & (span <= 60) & is_change, torch.full_like(truth, -1), truth)
        old = unpack(self.bank[self.walk(one, anchor, place, speed)])
        other_speed = speed * torch.where(uniform(count) < .8, 1., 0.)
        new = unpack(self.bank[self.walk(other, other_anchor, place, other_speed)])
        old, new = self.move_camera(old, .35), self.move_camera(new, .25)
        done = ease((place + 1) / (length[:, None] + 1), uniform(count))
        colour = fade_colour(count)
        mask = self.wipe_mask(done)[:, :, None]
        cut = over_pixels((place >= (length * (.2 + .6 * uniform(count)))[:, None]).float())
        back = (place >= (length * (.6 + .5 * uniform(count)))[:, None]).float() * (uniform(count,
            1) < .4)
        cut = cut * (1 - over_pixels(back))
        flash_at = (length * (.2 + .6 * uniform(count)))[:, None]
        glow = torch.exp(-((place - flash_at) / (1 + uniform(count, 1) * length[:, None]
            * .25)).clamp(min=-3) ** 2)
        glow = glow * torch.where(place < flash_at, torch.exp(-(flash_at - place)),
            torch.ones_like(place))
        made = {
            DISSOLVE: old * (1 - over_pixels(done)) + new * over_pixels(done),
            FADE: self.fade(old, new, done, colour),
            WIPE: old * (1 - mask) + new * mask,
            PUSH: self.push(old, new, done),
            NOTHING: old,
            PASSING: self.pass_by(old, new, place, length),
            LIGHT: self.move_light(old, done),
            TITLE: self.add_title(old, done),
            CUT: old * (1 - cut) + new * cut,
            FLASH: old + (colour - old) * over_pixels(glow * (.4 + .6 * uniform(count, 1))),
            PLAIN: self.put_on_plain(new, done),
        }
        pictures = old
        for index, one_made in made.items():
            pictures = torch.where(over_pixels((kind == index)[:, None]), one_made, pictures)
        # A change whose ends are alike is none that anybody could see.
        apart = (old[:, 0] - new[:, -1]).abs().mean((1, 2, 3))
        contrast = torch.minimum(old.std((3, 4))[:, :, 0].mean(1), new.std((3, 4))[:, :, 0].mean(1))
        unseen = is_change & torch.where(kind == FADE, contrast < 6, apart < 5)
        truth = torch.where(unseen, torch.full_like(truth, -1), truth)
        log_length = torch.log2((end - start).clamp(min=4))
        self.put_looked(pictures, truth, kind, log_length, count // 8)
        return pack(age(pictures)), log_length, truth, kind

    def put_looked(self, pictures, truth, kind, log_length, count):
        """Puts windows that were looked at into the first places."""
        weight = torch.where(self.looked[:, 4] == 1, 1.5, 1.)
        start, end, low, high, answer = self.looked[torch.multinomial(weight, count,
            replacement=True)].T
        length = (end - start).float()
        off = lambda: (normal(count) * .08 * length).round()
        place = places(start + off(), end + off()).long()
        place = torch.minimum(torch.maximum(place, low[:, None]), high[:, None] - 1)
        pictures[:count] = unpack(self.bank[place])
        truth[:count] = answer.float()
        kind[:count] = LOOKED
        log_length[:count] = torch.log2(length.clamp(min=4))


def ease(part, kind):
    part, kind = part.clamp(0, 1), kind[:, None]
    late = torch.where(kind < .9, part * part, 1 - (1 - part) ** 2)
    return torch.where(kind < .55, part, torch.where(kind < .8, part * part * (3 - 2 * part), late))


def any_colour(count, spread):
    colour = torch.cat([uniform(count, 1) * 219 + 16, 128 + normal(count, 2) * spread], 1)
    return colour[:, None, :, None, None]


def fade_colour(count):
    black = torch.tensor([[16., 128, 128]], device=DEVICE)
    white = torch.tensor([[235., 128, 128]], device=DEVICE)
    other = torch.cat([uniform(count, 1) * 200 + 20, 128 + normal(count, 2) * 25], 1)
    colour = torch.where(uniform(count, 1) < .6, black,
        torch.where(uniform(count, 1) < .8, white, other))
    return colour[:, None, :, None, None]


def age(pictures):
    """What can have been done to a whole film: grade, grain, bars, frames shown twice, mirrors."""
    count = pictures.shape[0]
    one = lambda value: value[:, None, None, None, None]
    gain, offset = one(torch.exp(normal(count) * .18)), one(normal(count) * 10)
    colour = one(torch.where(uniform(count) < .1, torch.zeros(count, device=DEVICE),
        torch.exp(normal(count) * .3)))
    luma, chroma = (pictures[:, :, :1] - 16) * gain + 16 + offset, 128 + (pictures[:, :, 1:]
        - 128) * colour
    grain = normal(*pictures.shape) * one(uniform(count) ** 3 * 6)
    luma, chroma = luma + grain[:, :, :1], chroma + grain[:, :, 1:]
    rows = torch.linspace(-1, 1, HEIGHT, device=DEVICE)[:, None].expand(HEIGHT, WIDTH)
    columns = torch.linspace(-1, 1, WIDTH, device=DEVICE)[None].expand(HEIGHT, WIDTH)
    bars = one(uniform(count))
    whole = torch.ones(count, 1, 1, HEIGHT, WIDTH, device=DEVICE)
    inner = torch.where(bars < .08, (rows.abs() < .76).float(), whole)
    inner = inner * torch.where(bars > .88,
        (columns.abs() < one(.32 + .3 * uniform(count))).float(), whole)
    aged = torch.cat([16 + (luma - 16) * inner, 128 + (chroma - 128) * inner], 2)
    twice = (uniform(count, 1) < .1) & (torch.arange(FRAMES, device=DEVICE)[None] % 2 == 1)
    aged = torch.where(over_pixels(twice), torch.cat([aged[:, :1], aged[:, :-1]], 1), aged)
    aged = aged.round().clamp(0, 255)
    aged = torch.where(one(uniform(count) < .5), aged.flip(-1), aged)
    return torch.where(one(uniform(count) < .5), aged.flip(1), aged)


class Layer(nn.Module):
    """A convolution in each frame (size 3) or over time at each place (size 1, then added)."""

    def __init__(self, inputs, outputs, stride=1, apart=0):
        super().__init__()
        self.adds = apart > 0
        kernel = (3, 1, 1) if self.adds else (1, 3, 3)
        padding = (apart, 0, 0) if self.adds else (0, 1, 1)
        self.c = nn.Conv3d(inputs, outputs, kernel, (1, stride, stride), padding,
            (max(1, apart), 1, 1), bias=False)
        self.b = nn.BatchNorm3d(outputs)

    def forward(self, x):
        y = F.relu(self.b(self.c(x)))
        return x + y if self.adds else y


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(Layer(6, 24), Layer(24, 32, 2), Layer(32, 32, apart=1),
            Layer(32, 32, apart=2))
        self.mid = nn.Sequential(Layer(32, 48, 2), Layer(48, 48, apart=1), Layer(48, 48, apart=4))
        self.top = nn.Sequential(Layer(48, 64, 2), Layer(64, 64, apart=2), Layer(64, 64, apart=8))
        self.sim = nn.Linear(2 * FRAMES, 32)
        self.t = nn.Conv1d(128 + 32, 64, 3, padding=1)
        self.h1 = nn.Linear(64 * 4 + 1, 64)
        self.h2 = nn.Linear(64, 1)
        self.drop = nn.Dropout(.3)

    def forward(self, x, log_length):
        seen = self.stem(x)
        raw = x.transpose(1, 2).flatten(0, 1).float()
        raw = F.avg_pool2d(raw, 3, 2, 1, count_include_pad=False).unflatten(0, (x.shape[0], FRAMES))
        likeness = torch.cat([compare(raw), compare(seen.transpose(1, 2))], 2)
        seen = self.top(self.mid(seen)).float()
        course = [seen.mean((3, 4)), seen.amax((3, 4)), F.relu(self.sim(likeness)).transpose(1, 2)]
        course = F.relu(self.t(torch.cat(course, 1)))
        middle = course[:, :, FRAMES // 2 - 2:FRAMES // 2 + 2].mean(2)
        ends = (course[:, :, :4].mean(2) - course[:, :, -4:].mean(2)).abs()
        told = [course.mean(2), course.amax(2), middle, ends, log_length[:, None] / 4 - 1]
        return self.h2(self.drop(F.relu(self.h1(self.drop(torch.cat(told, 1))))))[:, 0]


def compare(frames):
    flat = frames.flatten(2).float()
    flat = flat - flat.mean(2, keepdim=True)
    flat = flat / (torch.sqrt((flat * flat).sum(2, keepdim=True)) + 1e-3)
    return flat @ flat.transpose(1, 2)


class ShotClassifier(nn.Module):
    """As the engine asks it: frames [32, 6, 18, 32] and the length of the window in frames."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, frames, length):
        log_length = torch.log2(length.clamp(min=4.))
        return torch.sigmoid(self.network(frames.permute(1, 0, 2, 3)[None], log_length))


def train(films, network, seconds, rate):
    """Keeps the mean of the last weights, which is steadier than the last ones."""
    kept = Network().to(DEVICE)
    kept.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=.02)
    began, step = time.time(), 0
    while (part := (time.time() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group['lr'] = rate * min(1, (step + 1) / 200) * (.02 + .98 * .5
                * (1 + math.cos(math.pi * part)))
        with torch.no_grad():
            seen, log_length, truth, _ = films.batch(BATCH)
        with torch.autocast(DEVICE, torch.bfloat16):
            said = network(seen, log_length)
        asked = truth >= 0
        target = truth.clamp(min=0) * .98 + .01
        losses = F.binary_cross_entropy_with_logits(said.float(), target, reduction='none')
        loss = (losses * asked).sum() / asked.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.)
        optimiser.step()
        keep = min(.998, step / (step + 50))
        with torch.no_grad():
            for mine, new in zip(kept.state_dict().values(), network.state_dict().values()):
                if mine.dtype.is_floating_point:
                    mine.mul_(keep).add_(new, alpha=1 - keep)
                else:
                    mine.copy_(new)
        if step % 400 == 0:
            right = ((said > 0) == (truth > .5))[asked].float().mean()
            print(step, f'{time.time() - began:.0f} s, loss {loss.item():.3f}, '
                  f'right {right.item():.3f}', flush=True)
        step += 1
    return kept.eval()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('frames')
    parser.add_argument('out')
    parser.add_argument('--seconds', type=float, default=960)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    network = Network().to(DEVICE)
    kept = train(Films(options.frames), network, options.seconds, 2e-3)
    torch.save(kept.state_dict(), os.path.join(options.out, 'shot-classifier.pt'))
    example = (torch.zeros(FRAMES, 6, 18, 32), torch.tensor([10.]))
    torch.onnx.export(ShotClassifier(kept.cpu()).eval(), example,
                      os.path.join(options.out, 'shot-classifier.onnx'),
                      input_names=['frames', 'length'], output_names=['probability'],
                      opset_version=17, dynamo=False)


if __name__ == '__main__':
    main()
