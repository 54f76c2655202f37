/** Which keys what has the focus keeps for itself, so that no shortcut takes them. */

export interface Focused {
  localName: string
  parentElement: Focused | null
  getAttribute: (name: string) => string | null
}

/** A person answers a dialog, chooses in a menu or types into a field: no shortcut acts. */
export function isApart(target: Focused, key: string): boolean {
  return (
    isInPopup(target) ||
    pathOf(target).some(
      (element) =>
        ['textarea', 'select'].includes(element.localName) ||
        (element.localName === 'input' &&
          !isCheckbox(element) &&
          (!isRange(element) || sliderKeys.test(key))),
    )
  )
}

/** Has keys of its own, however the focus came to it. */
export function keepsKeys(target: Focused): boolean {
  return target.getAttribute('data-own-keys') !== null
}

export function isInPopup(target: Focused): boolean {
  return pathOf(target).some((element) => popupRoles.has(element.getAttribute('role') ?? ''))
}

/** True where the browser itself presses a button or goes from tab to tab by this key. */
export function belongsTo(target: Focused, key: string): boolean {
  const path = pathOf(target)
  if (key === ' ' || key === 'Enter') {
    return path.some(
      (element) => ['button', 'a'].includes(element.localName) || isCheckbox(element),
    )
  }
  return (
    /^(Arrow|Home|End)/.test(key) && path.some((element) => element.getAttribute('role') === 'tab')
  )
}

const popupRoles: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu'])
const sliderKeys = /^(Arrow|Home$|End$|Page)/

function isCheckbox(element: Focused): boolean {
  return element.getAttribute('type') === 'checkbox'
}

function isRange(element: Focused): boolean {
  return element.getAttribute('type') === 'range'
}

/** The element and what holds it. */
export function pathOf(target: Focused): Focused[] {
  const path: Focused[] = []
  for (let at: Focused | null = target; at; at = at.parentElement) path.push(at)
  return path
}
