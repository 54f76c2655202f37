export function DeveloperDocs() {
  return <p>…</p>
}
