import { makeKeyList } from '../../lib/app/keys.ts'
import { listKeys } from '../../lib/auth/keys/manage.ts'
import { keyPage } from '../../lib/contract/requests/key-page.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'

const app = await makeKeyList()

export const handler = endpoint('keys', app, query(keyPage), async ({ input }) => ok(await listKeys(app, input)))
