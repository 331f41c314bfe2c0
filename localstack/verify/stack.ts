import { type Check, holds } from './check.ts'

export const tryProtectedTables: Check = async (stage) => {
  const { isKept, tables, unprotectedTables: open } = await stage.stack()
  holds(tables.length > 0, 'the stack has no tables')
  if (!isKept) return 'none is wanted: data=disposable'
  holds(open.length === 0, `without deletion protection: ${open.join(', ')}; deploy again`)
  return { seen: `all ${tables.length} tables`, figures: { tables: tables.length } }
}

export const tryProtectedStack: Check = async (stage) => {
  const { isKept, isProtected } = await stage.stack()
  if (!isKept) return 'none is wanted: data=disposable'
  holds(isProtected, 'the stack has no termination protection; deploy again')
  return 'termination protection'
}
