import type { Marker } from '../timeline/timeline.ts'

interface MarkerColors {
  /** Marker colours in EDL locators and Avid. */
  avid: 'red' | 'green' | 'blue' | 'cyan' | 'magenta' | 'yellow' | 'black' | 'white'
  otio: string
  resolve: string
}

/** The colour of each kind of marker, in the names that the formats have. */
export const markerColors: Record<Marker['kind'], MarkerColors> = {
  comments: { avid: 'yellow', otio: 'YELLOW', resolve: 'Yellow' },
  clips: { avid: 'blue', otio: 'BLUE', resolve: 'Yellow' },
  shots: { avid: 'blue', otio: 'BLUE', resolve: 'Blue' },
  cutpoints: { avid: 'green', otio: 'GREEN', resolve: 'Green' },
  removals: { avid: 'yellow', otio: 'YELLOW', resolve: 'Yellow' },
  'lip-flap': { avid: 'red', otio: 'RED', resolve: 'Red' },
  'voice-only': { avid: 'cyan', otio: 'CYAN', resolve: 'Cyan' },
  talking: { avid: 'magenta', otio: 'PURPLE', resolve: 'Purple' },
  sentences: { avid: 'white', otio: 'WHITE', resolve: 'Cream' },
  flashes: { avid: 'yellow', otio: 'ORANGE', resolve: 'Lemon' },
  black: { avid: 'black', otio: 'BLACK', resolve: 'Cocoa' },
  freeze: { avid: 'black', otio: 'MAGENTA', resolve: 'Sand' },
  text: { avid: 'cyan', otio: 'CYAN', resolve: 'Sky' },
  slates: { avid: 'magenta', otio: 'PINK', resolve: 'Fuchsia' },
}
