import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipFolder } from '../../engine/clips.testing.ts'
import { tryPixelCase } from './pixel-formats.ts'
import { slow } from '../../test/support/slow.ts'

test(
  'pictures of every kind of sampling and depth are analysed, in odd sizes too',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    for (const [encoder, format, size] of [
      // DV NTSC and Indeo: 4:1:1 and 4:1:0.
      ['dvvideo', 'yuv411p', '720x480'],
      ['ffv1', 'yuv410p', '33x17'],
      ['ffv1', 'gbrp12le', '33x17'],
      ['ffv1', 'gray16le', '33x17'],
      ['ffv1', 'yuva444p10le', '2x2'],
      ['rawvideo', 'pal8', '33x17'],
    ] as const) {
      assert.equal(await tryPixelCase(folder, { encoder, format, size }), null, `${format} ${size}`)
    }
  },
)
