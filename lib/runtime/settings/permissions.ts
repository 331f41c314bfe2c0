import * as z from 'zod/mini'
import { parsed, withDefault } from '../config.ts'

const names = z.array(z.enum(['CREATE', 'READ', 'UPDATE', 'DELETE']))
const table = z.strictObject({
  ROLE_ADMIN: z.exactOptional(z.record(z.string(), names)),
  ROLE_USER: z.exactOptional(z.record(z.string(), names)),
})

const DEFAULT: z.output<typeof table> = {
  ROLE_ADMIN: { User: ['CREATE', 'READ', 'UPDATE', 'DELETE'] },
  ROLE_USER: { User: ['READ'] },
}

function permissionTable(text: string): z.output<typeof table> {
  try {
    return z.parse(table, JSON.parse(text))
  } catch {
    throw new Error('must be a JSON object: role → resource type → list of CREATE, READ, UPDATE, DELETE')
  }
}

/** What roles may do, beyond what their names open. */
export const permissionSettings = {
  /** JSON: role → resource type → `CREATE`, `READ`, `UPDATE`, `DELETE` @default admins everything, users READ */
  ROLE_PERMISSIONS: withDefault(parsed(permissionTable), DEFAULT),
}
