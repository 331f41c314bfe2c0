import type { Credentials } from '../../lib/contract/route.ts'
import { demoUser, tokenOf } from './accounts.ts'
import { CookieClient } from './browser-client.ts'
import { basic, bearer, type Call } from './client.ts'

/** An admin's credentials of the kind that counts. */
export const ADMIN_CREDENTIALS: Readonly<Record<Credentials, () => Call | Promise<Call>>> = {
  any: async () => bearer(await tokenOf('admin')),
  'any-or-key': async () => bearer(await tokenOf('admin')),
  database: () => basic('jdbcadmin', demoUser('jdbcadmin').password),
  directory: () => basic('ldapadmin', demoUser('ldapadmin').password),
  session: async () => {
    const client = new CookieClient()
    await client.login('admin', demoUser('admin').password)
    const token = client.cookies.get('XSRF-TOKEN') ?? ''
    return {
      headers: {
        cookie: `JSESSIONID=${client.cookies.get('JSESSIONID')}; XSRF-TOKEN=${token}`,
        'x-xsrf-token': token,
      },
    }
  },
}
