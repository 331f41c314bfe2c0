import * as z from 'zod'
import { userPage } from '../contract/requests/user-page.ts'
import { jsonContent } from '../contract/schemas.ts'
import { userRecord } from '../contract/user-schemas.ts'
import type { About } from './about.ts'
import { USER } from './examples.ts'
import { ANY_CREDENTIALS } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'GET',
  path: '/api/users',
  access: { role: 'ROLE_ADMIN', permission: { name: 'READ', on: 'User' } },
} as const satisfies Route

export const sampleRequest = { query: '?limit=3', granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Users',
    summary: 'List the users of the database by page',
    description:
      'Sorted by name in lowercase. A user who exists the whole time is on exactly one page. A page may hold fewer users than its limit and still have a `nextCursor`. The list ends when it is `null`.',
    reads: { query: userPage },
    answers: {
      200: {
        description: 'One page.',
        example: { users: [USER], nextCursor: null },
        content: jsonContent(
          z
            .strictObject({ users: z.array(userRecord).max(200), nextCursor: z.string().nullable() })
            .meta({ id: 'UserPage' }),
        ),
      },
    },
    grants: [...ANY_CREDENTIALS, { UsersTable: ['BatchGetItem'], 'UsersTable/index/byName': ['Query'] }],
  }) as const satisfies About
