/** Loads what the strip draws from files: sprite sheets and peaks of every source. */
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { CutSource } from '../../../../contract/footage/cuts.ts'
import type { StripFiles } from './strip-draw.ts'

export function useStripFiles(sources: readonly CutSource[]): StripFiles {
  const [sheets, setSheets] = useState<StripFiles['sheets']>(new Map())
  const key = sources
    .map(({ content_id: id, pictures }) => `${id} ${pictures.sprite?.urls.join(' ') ?? ''}`)
    .join('\n')
  useEffect(() => {
    let isCurrent = true
    const images = new Map<string, HTMLImageElement[]>()
    for (const line of key.split('\n')) {
      const [id = '', ...urls] = line.split(' ').filter(Boolean)
      images.set(
        id,
        urls.map((url) => {
          const image = new Image()
          image.addEventListener('load', () => isCurrent && setSheets(new Map(images)))
          image.src = url
          return image
        }),
      )
    }
    return () => {
      isCurrent = false
    }
  }, [key])
  const loaded = useQueries({
    queries: sources.map(({ pictures: { waveform } }) => ({
      queryKey: ['cut-peaks', waveform?.url.split('?')[0]],
      enabled: waveform !== null,
      staleTime: Infinity,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const response = await fetch(waveform?.url ?? '', { signal })
        if (!response.ok) throw new Error('The waveform could not be loaded.')
        const values = new Int8Array(await response.arrayBuffer())
        const loudest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 1)
        return { values, loudest }
      },
    })),
  })
  const marks = loaded.map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  const peaks = useMemo(() => {
    const byClip = new Map<
      string,
      { values: Int8Array; loudest: number; perSecond: number; start: number }
    >()
    sources.forEach(({ content_id: id, pictures: { waveform } }, index) => {
      const data = loaded[index]?.data
      if (data && waveform) {
        byClip.set(id, { ...data, perSecond: waveform.peaks_per_second, start: waveform.start })
      }
    })
    return byClip
    // `loaded` is new with every render; its marks change with its data.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [sources, marks])
  return useMemo(() => ({ sheets, peaks }), [sheets, peaks])
}
