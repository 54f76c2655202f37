import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipFolder, makeClip } from './clips.testing.ts'
import { syncSound } from './sync-sound.ts'

test('the clocks of two recorders place their files to the sample', async (t) => {
  const folder = await clipFolder(t)
  const midday = 48_000 * 43_200
  // 0.5 s and a hundred samples apart, which 1/25 s would not tell.
  const later = 24_100
  const make = (name: string, skipped: number) =>
    makeClip(
      folder,
      `-f lavfi -i anoisesrc=d=8:r=48000:seed=3:a=0.5,tremolo=f=3:d=1,atrim=start_sample=${skipped}
       -write_bext 1 -metadata time_reference=${midday + skipped} ${name}`,
    )
  const files = [await make('long.wav', 0), await make('short.wav', later)]
  const items = await syncSound({
    files: files.map((file) => ({ file, maxSeconds: 10 })),
    workDir: folder,
  })
  assert.deepEqual(
    items.map(({ timecodeOffset }) => timecodeOffset),
    [null, '241/480'],
  )
})
