import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { parse } from 'yaml'
import { toTest } from '../../scripts/system-packages.ts'
import { readConfig } from '../../server/ground/config.ts'
import { openTestDatabase } from '../support/database.ts'

const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

test('the figure that decides over the number of workers can be asked of the database', async () => {
  const file = resolve(import.meta.dirname, '../../deploy/kubernetes.yaml')
  const manifest = await readFile(file, 'utf8')
  const folded = manifest.replaceAll(/>-\n((?: {10}.*\n)+)/g, (_, lines: string) =>
    lines.replaceAll(/\s*\n\s*/g, ' '),
  )
  const queries = [...folded.matchAll(/query: *(.*?) *(?:targetQueryValue|\n)/g)]
  assert.equal(queries.length, 2)
  await using database = await openTestDatabase()
  for (const [, query] of queries) {
    const { rows } = await sql.raw<Record<string, number>>(query!).execute(database.db)
    assert.deepEqual(
      rows.map((row) => Object.values(row).map(Number)),
      [[0]],
      query,
    )
  }
})

interface Service {
  environment?: Record<string, string>
  command?: string[]
}

test('compose.yaml takes a password with any character', async () => {
  const file = resolve(import.meta.dirname, '../../compose.yaml')
  const password = 'p@ss/w:o#r?d%41 &"\'é'
  // As Compose does: after YAML was read, in each value.
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\w*PASSWORD:\?[^}]*\}/g, () => password)
  const { services } = parse(await readFile(file, 'utf8'), { merge: true }) as {
    services: Record<string, Service>
  }
  const environments = Object.entries(services).map(
    ([name, { environment = {} }]) =>
      [name, new Map(Object.entries(environment).map(([key, text]) => [key, fill(text)]))] as const,
  )
  for (const [name, environment] of environments) {
    for (const [key, value] of environment) {
      if (value.includes('p@ss')) assert.equal(value, password, `${name}: ${key}`)
    }
  }
  const { api } = Object.fromEntries(environments)
  const { databaseUrl } = readConfig({
    ...stripeKeys,
    DATABASE_URL: api?.get('DATABASE_URL'),
    DATABASE_PASSWORD: api?.get('DATABASE_PASSWORD'),
  })
  const { user, host, database, password: sent } = new Client({ connectionString: databaseUrl })
  assert.deepEqual([user, host, database, sent], ['cutindex', 'postgres', 'cutindex', password])
  const commands = Object.values(services).flatMap(({ command = [] }) => command)
  assert.ok(commands.every((command) => !command.includes('${')))
})

test('a database address that cannot be read is refused with what to do', () => {
  const read = (environment: Record<string, string>) => () =>
    readConfig({
      ...stripeKeys,
      ...environment,
    })
  assert.throws(read({ DATABASE_URL: 'postgres://cutindex:a/b@host/cutindex' }), {
    message: /DATABASE_URL is wrong.*DATABASE_PASSWORD/,
  })
  const twice = { DATABASE_URL: 'postgres://cutindex:a@host/cutindex', DATABASE_PASSWORD: 'b' }
  assert.throws(read(twice), { message: /not twice/ })
  // Sockets have no host.
  const socket = 'postgres://cutindex@/cutindex?host=/run/postgresql'
  assert.equal(read({ DATABASE_URL: socket })().databaseUrl, socket)
})

test('the image for development holds every package that the tests need', async () => {
  const dockerfile = await readFile(resolve(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const stages = dockerfile.split(/^FROM /m)
  const words = stages
    .filter((stage) => /^\S+ AS (system|development)\n/.test(stage))
    .flatMap((stage) => stage.split(/\s+/))
  assert.deepEqual(
    toTest.map((item) => item.debian).filter((name) => !words.includes(name)),
    [],
  )
})

test('the proxy looks the APIs up again, at the port on which they listen', async () => {
  const read = (name: string) => readFile(resolve(import.meta.dirname, '../..', name), 'utf8')
  const { services } = parse(await read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }
  const { HOST, PORT, DATABASE_URL } = services.api?.environment ?? {}
  assert.deepEqual([HOST, PORT], ['0.0.0.0', '3000'])
  assert.ok(DATABASE_URL, 'the settings of all services are there too')
  assert.match(await read('deploy/nginx.conf'), new RegExp(`server api:${PORT} resolve;`))
})
