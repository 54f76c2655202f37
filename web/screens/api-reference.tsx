export function ApiReference() {
  return <p>…</p>
}
