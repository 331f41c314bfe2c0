const table: Readonly<Record<string, number>> = { a: 1 }
const list = [1, 2, 3]

/** What test/support/open-keys.ts has to find, in the first four lines, and what not, in the others. */
export const sample = (name: string, key: 'a' | 'b', index: number): readonly unknown[] => [
  table[name],
  name in table,
  Reflect.get(table, name),
  table[`:${name}`],
  table[key],
  table['a'],
  list[index],
  Object.hasOwn(table, name) ? table[name] : undefined,
  new Map(Object.entries(table)).get(name),
]
