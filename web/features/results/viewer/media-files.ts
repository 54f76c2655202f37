/** Loads what the lanes draw from files: the waveform's peaks and the sprite sheets. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { loudestPeak } from '../timeline/waveform-path.ts'
import type { Peaks, Sprites } from '../timeline/timeline-data.ts'

type Address = (name: string) => string | undefined

export function usePeaks(
  waveform: FindingsOf<'thumbnail'>['waveform'] | undefined,
  address: Address,
): Peaks | null {
  const url = waveform ? address(waveform.file) : undefined
  const { data } = useQuery({
    queryKey: ['peaks', waveform?.file, url?.split('?')[0]],
    enabled: url !== undefined,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetch(url ?? '', { signal })
      if (!response.ok) throw new Error('The waveform could not be loaded.')
      const values = new Int8Array(await response.arrayBuffer())
      return { values, loudest: loudestPeak(values) }
    },
  })
  return useMemo(() => {
    if (!data || !waveform) return null
    const { peaks_per_second: perSecond, start: startSeconds = 0 } = waveform
    return { ...data, perSecond, startSeconds }
  }, [data, waveform])
}

/** The sheets arrive one by one; each arrival draws the lane again. */
export function useSprites(
  sprite: FindingsOf<'thumbnail'>['sprite'] | undefined,
  address: Address,
): Sprites | null {
  const urls = (sprite?.file ?? []).map((name) => address(name) ?? '')
  const ready = urls.length > 0 && urls.every(Boolean)
  const key = ready ? urls.join('\n') : ''
  const [sheets, setSheets] = useState<readonly HTMLImageElement[]>([])
  useEffect(() => {
    if (!key) return undefined
    let isCurrent = true
    const images = key.split('\n').map((url) => {
      const image = new Image()
      image.addEventListener('load', () => isCurrent && setSheets([...images]))
      image.src = url
      return image
    })
    return () => {
      isCurrent = false
    }
  }, [key])
  return useMemo(() => {
    if (!sprite || sheets.length === 0) return null
    return {
      sheets,
      tileWidth: sprite.tile_width,
      tileHeight: sprite.tile_height,
      columns: sprite.columns,
      rows: sprite.rows,
      intervalFrames: sprite.interval_frames,
      count: sprite.count,
      startFrame: sprite.start_frame ?? 0,
    }
  }, [sprite, sheets])
}
