import { readConfig } from '../server/ground/config.ts'
import { givenSettings as given } from '../server/ground/given-settings.ts'
import { refuseMissingProvider } from '../server/process/refuse-provider.ts'

/** Stands for the embedded database, which is not there yet and has a password too. */
const database = { DATABASE_URL: 'postgres://cutindex:password@localhost/cutindex' }

/** Says what is wrong before anything is installed, built or started. */
export async function refuseWrongSettings(own: Readonly<Record<string, string>>): Promise<void> {
  readConfig({ ...database, ...own, ...given })
  await refuseMissingProvider()
}
