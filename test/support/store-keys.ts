/** Credentials of the store in tests, for this process, which runs other files afterwards. */
const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Call in `before`, and in `after` what it returns. */
export function giveStoreKeys(): () => void {
  const kept = Object.keys(keys).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, keys)
  return () => {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
