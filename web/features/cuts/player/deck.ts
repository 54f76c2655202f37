/**
 * One player for the cut and for a hit of the sources that is looked at. `deck.cut` is the cut all
 * the time: its playhead stays where it was during a preview, and whatever moves it, or changes the
 * cut, ends the preview first. The transport and the viewer take the player itself.
 */
import { createSignal } from '../../../dom/signal.ts'
import type { CutPlayer, Program } from './cut-player.ts'

export interface Deck {
  player: CutPlayer
  cut: CutPlayer
  isPreview: () => boolean
  subscribe: CutPlayer['subscribe']
  /** Asked before a preview is loaded: whether it is still wanted once it has come. */
  ask: () => () => boolean
  preview: (program: Program) => void
  leave: () => void
}

export function createDeck(player: CutPlayer): Deck {
  let cut: Program | null = null
  let preview: Program | null = null
  let back = 0
  let asked = 0
  const signal = createSignal()
  const leave = (): void => {
    asked += 1
    if (!preview) return
    preview = null
    player.stop()
    if (cut) player.load(cut)
    player.seek(back)
    signal.announce()
  }
  /** The same order, given to the cut. */
  const first = <Input extends unknown[]>(order: (...input: Input) => void) => {
    return (...input: Input): void => {
      leave()
      order(...input)
    }
  }
  const subscribe: Deck['subscribe'] = (listener) => {
    const ends = [signal.subscribe(listener), player.subscribe(listener)]
    return () => {
      for (const end of ends) end()
    }
  }
  return {
    player,
    cut: {
      ...player,
      subscribe,
      frame: () => (preview ? back : player.frame()),
      speed: () => (preview ? 0 : player.speed()),
      load(program) {
        cut = program
        if (!preview) player.load(program)
      },
      seek: first(player.seek),
      step: first(player.step),
      toggle: first(player.toggle),
      shuttle: first(player.shuttle),
      stop: first(player.stop),
    },
    isPreview: () => preview !== null,
    subscribe,
    ask() {
      const mine = ++asked
      return () => mine === asked
    },
    preview(program) {
      if (!preview) back = player.frame()
      preview = program
      player.stop()
      player.load(program)
      player.seek(0)
      player.shuttle(1)
      signal.announce()
    },
    leave,
  }
}
