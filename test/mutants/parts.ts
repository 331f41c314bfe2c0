/** What is mutated, part by part; the tests of the folder are tried first on each mutant. */
export const PARTS = {
  access: {
    mutate: ['lib/contract/routes.ts', 'lib/auth/access.ts', 'lib/auth/permissions.ts'],
    tests: ['contract', 'auth'],
  },
  auth: { mutate: ['lib/auth/**/*.ts', '!lib/auth/access.ts', '!lib/auth/permissions.ts'], tests: ['auth'] },
  webhooks: { mutate: ['lib/webhooks/**/*.ts'], tests: ['webhooks'] },
  stomp: { mutate: ['lib/stomp/**/*.ts'], tests: ['stomp'] },
} as const satisfies Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>

export type PartName = keyof typeof PARTS

export function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name)
}
