export function Terms() {
  return <p>…</p>
}
