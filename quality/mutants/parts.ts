/**
 * What is mutated, part by part; the tests of the folders are tried first on each mutant. Stryker leaves alone what is
 * `as const`: who gets into an endpoint is tried over the wire instead.
 */
export const PARTS = {
  access: {
    mutate: ['lib/auth/access.ts', 'lib/auth/permissions.ts'],
    tests: ['auth'],
  },
  auth: { mutate: ['lib/auth/**/*.ts', '!lib/auth/access.ts', '!lib/auth/permissions.ts'], tests: ['auth'] },
  webhooks: { mutate: ['lib/webhooks/**/*.ts'], tests: ['webhooks'] },
  stomp: { mutate: ['lib/stomp/**/*.ts', 'lib/stream/**/*.ts'], tests: ['stomp', 'stream'] },
} as const satisfies Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>

/** A file of one line, and its own tests. */
export const SHORT = {
  mutate: ['lib/auth/permissions.ts'],
  tests: ['auth'],
  only: 'test/unit/auth/permissions.test.ts',
}

export type PartName = keyof typeof PARTS

export function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name)
}
