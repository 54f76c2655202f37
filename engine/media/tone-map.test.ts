import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { runPass } from '../pass/run.ts'
import { probe } from '../probe.ts'
import { makeStill } from './still.ts'
import { slow } from '../../test/support/slow.ts'

const run = promisify(execFile)

/** Luma codes of ten bits for 203 cd/m² (reference white) and 1,000 cd/m² (a highlight). */
const codes = { smpte2084: [573, 723], 'arib-std-b67': [721, 940] } as const

test(
  'HDR is shown with light whites and unclipped highlights, in the still and the proxy',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    for (const [transfer, [white, highlight]] of Object.entries(codes)) {
      const light = `if(lt(X\\,W/2)\\,${white}\\,${highlight})`
      const labels = `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`
      const file = await makeClip(
        folder,
        `-f lavfi -i color=s=320x180:r=25:d=0.4,format=yuv420p10le,geq=lum='${light}':cb=512:cr=512
       -c:v libx265 -preset ultrafast -x265-params log-level=none:${labels} ${transfer}.mp4`,
      )
      const probed = await probe(file)
      if (probed.status !== 'media') throw new Error(`${transfer} is not media.`)
      const { details } = probed
      assert.equal(details.color.hdr, true)
      const still = path.join(folder, 'still.jpg')
      await writeFile(still, (await makeStill(file, probed)) ?? '')
      const { proxyFile } = await runPass({ file, details, workDir: folder, proxy: true })
      for (const shown of [still, path.join(folder, proxyFile ?? '')]) {
        const [left = 0, right = 0] = await halvesOf(shown)
        assert.ok(left > 170 && left < 225, `${transfer}: white is shown as ${left}`)
        assert.ok(
          right > left + 15,
          `${transfer}: a highlight is shown as ${right}, white as ${left}`,
        )
      }
    }
  },
)

/** The luma of the left and of the right half of the first frame, from 0 to 255. */
async function halvesOf(file: string): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      file,
      '-frames:v',
      '1',
      '-vf',
      'scale=2:1:flags=area,format=rgb24',
    ].concat(['-f', 'rawvideo', '-']),
    { encoding: 'buffer' },
  )
  return [stdout[1]!, stdout[4]!]
}
