/**
 * Who may enter the embedded PostgreSQL: one role that owns the product's database, is no superuser
 * and brings a password. The superuser cannot log in at all: what only it may do is done in
 * single-user mode, before the server listens. Peer authentication would not do, because in the
 * user namespace that root starts the server in, root and `nobody` look the same.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../ground/config.ts'

export const productRole = 'cutindex'

const access = `# Written at every start.
local all ${productRole} scram-sha-256
`

/** Runs a program of PostgreSQL with this input and returns its output. */
type RunProgram = (name: 'initdb' | 'postgres', args: string[], input?: string) => Promise<string>

/**
 * Makes the database files if there are none, closes the open access of older versions, and sets
 * the role's password. Safe to be killed at any point: the password is put in place last.
 */
export async function secureCluster(
  run: RunProgram,
  options: { dir: string; data: string; mayCreateDatabases: boolean },
): Promise<string> {
  const { dir, data } = options
  const passwordFile = join(dir, 'password')
  const isNew = !existsSync(join(data, 'PG_VERSION'))
  if (!isNew && existsSync(passwordFile)) {
    await restrictAccess(data)
    return readFile(passwordFile, 'utf8')
  }
  const password = randomBytes(32).toString('base64url')
  const roles = roleStatements(password, options.mayCreateDatabases)
  if (isNew) {
    await refuseOccupied(data)
    await removeUnfinished(dir)
    const aside = join(dir, `${unfinished}${randomUUID()}`)
    await initialise(run, aside)
    await alone(run, aside, 'postgres', [...roles, createDatabase])
    await restrictAccess(aside)
    await rename(aside, data)
  } else {
    const listed = await alone(run, data, 'postgres', [...roles, 'select datname from pg_database'])
    if (listed.includes('"cutindex"')) await alone(run, data, 'cutindex', [takeOver])
    else await alone(run, data, 'postgres', [createDatabase])
    await restrictAccess(data)
  }
  await writeFile(`${passwordFile}.new`, password, { mode: 0o600 })
  await rename(`${passwordFile}.new`, passwordFile)
  return password
}

const unfinished = 'data.new~'

/** Removes what a killed start left; files with other names stay. */
async function removeUnfinished(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const isUnfinished = name.startsWith(unfinished) && name.length === unfinished.length + 36
    if (isUnfinished) await rm(join(dir, name), { recursive: true })
  }
}

/** Refuses a folder with other files; an empty one is replaced when the new one is renamed. */
async function refuseOccupied(data: string): Promise<void> {
  const names = await readdir(data).catch(() => [])
  if (names.length === 0) return
  throw new ConfigError(`The folder ${data} holds other files and no database. Move them away.`)
}

async function initialise(run: RunProgram, data: string): Promise<void> {
  await run('initdb', [
    ...['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8'],
    ...['--locale=C.UTF-8', '--no-instructions', '--no-sync'],
  ])
}

/** Single-user mode serves no socket. A statement ends at an empty line; an error ends the run. */
function alone(
  run: RunProgram,
  data: string,
  database: string,
  statements: string[],
): Promise<string> {
  const args = ['--single', '-j', '-D', data, '-c', 'exit_on_error=true', database]
  return run('postgres', args, statements.map((statement) => `${statement};\n\n`).join(''))
}

const createDatabase = `create database cutindex owner ${productRole}`

function roleStatements(password: string, mayCreateDatabases: boolean): string[] {
  return [
    `do $$ begin if not exists (select from pg_roles where rolname = '${productRole}')
       then create role ${productRole}; end if; end $$`,
    `alter role ${productRole} login nosuperuser nocreaterole noreplication nobypassrls
       ${mayCreateDatabases ? 'createdb' : 'nocreatedb'} password '${password}'`,
    'alter role postgres password null',
  ]
}

/**
 * Older versions ran as the superuser, which owns everything they made. Objects that belong to an
 * extension stays with it; indexes and the sequences of columns follow their tables.
 */
const takeOver = `do $$
declare change text;
begin
  for change in
    with own as (
      select oid from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
    ), bound as (
      select classid, objid from pg_depend where deptype in ('e', 'i', 'a')
        and (deptype = 'e' or classid = 'pg_class'::regclass)
    )
    select 'alter database cutindex owner to ${productRole}'
    union all
    select format('alter schema %I owner to ${productRole}', nspname) from pg_namespace
      where oid in (select oid from own) and nspowner = 10
    union all
    select format('alter %s %s owner to ${productRole}',
        case relkind when 'S' then 'sequence' when 'v' then 'view'
          when 'm' then 'materialized view' else 'table' end, oid::regclass)
      from pg_class
      where relnamespace in (select oid from own) and relowner = 10
        and relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from bound
          where classid = 'pg_class'::regclass and objid = pg_class.oid and pg_class.relkind = 'S')
    union all
    select format('alter routine %s owner to ${productRole}', oid::regprocedure) from pg_proc
      where pronamespace in (select oid from own) and proowner = 10
        and not exists (select from bound
          where classid = 'pg_proc'::regclass and objid = pg_proc.oid)
    union all
    select format('alter type %s owner to ${productRole}', oid::regtype) from pg_type
      where typnamespace in (select oid from own) and typowner = 10
        and typtype in ('d', 'e')
        and not exists (select from bound
          where classid = 'pg_type'::regclass and objid = pg_type.oid)
  loop execute change; end loop;
end $$`

async function restrictAccess(data: string): Promise<void> {
  const file = join(data, 'pg_hba.conf')
  const { uid, gid } = await stat(data)
  await writeFile(file, access, { mode: 0o600 })
  await chmod(file, 0o600)
  // The server may run as another user than this process.
  if (uid !== process.getuid?.()) await chown(file, uid, gid)
}
