import { makeTrailList } from '../../lib/app/operators.ts'
import { REPEATABLE, trailQuery } from '../../lib/contract/requests/trail-query.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listTrail } from '../../lib/trail/list.ts'

const app = await makeTrailList()

export const handler = endpoint('auditTrail', app, query(trailQuery, REPEATABLE), async ({ input }) =>
  ok(await listTrail(app, input)),
)
