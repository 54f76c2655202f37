import type { Appearance } from '@stripe/stripe-js'
import type { Theme } from '../../dom/theme.ts'

/** Colours and sizes for the provider's fields, which our styles cannot reach. */
export function cardFormLook(theme: Theme): Appearance {
  return {
    theme: theme === 'dark' ? 'night' : 'stripe',
    variables: {
      fontFamily: 'Geist, system-ui, sans-serif',
      fontSizeBase: '14px',
      borderRadius: '6px',
      colorPrimary: rgbOf('--brand'),
      colorBackground: rgbOf('--page'),
      colorText: rgbOf('--ink'),
      colorTextSecondary: rgbOf('--ink-2'),
      colorDanger: rgbOf('--bad'),
    },
    rules: { '.Input': { border: `1px solid ${rgbOf('--line-strong')}`, boxShadow: 'none' } },
  }
}

/** A token as the rgb() that the provider understands; ours are written in OKLCH. */
function rgbOf(token: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const paint = canvas.getContext('2d')
  if (!paint) return ''
  paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token)
  paint.fillRect(0, 0, 1, 1)
  const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
