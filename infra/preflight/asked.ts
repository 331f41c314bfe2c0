import { type Finding, failing, warn } from '../finding.ts'

/** How long AWS is waited for, in milliseconds. */
export function clientIn(region: string) {
  return { region, requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000 } }
}

/**
 * The findings of a check that asks AWS. What it may not ask is a warning, unless the deployment asks it, too; any other
 * answer that it did not expect fails.
 * @param action the right that it takes
 */
export async function asked(
  check: string,
  action: string,
  ask: () => Promise<readonly Finding[]>,
  { isNeeded = false } = {},
): Promise<readonly Finding[]> {
  try {
    return await ask()
  } catch (error) {
    if (!isDenied(error)) {
      return [failing(check, awsReason(error), `npm run preflight asks with ${action}; find out why AWS refuses`)]
    }
    return isNeeded
      ? [failing(check, `${action} is not allowed`, 'allow it: the deployment asks the same')]
      : [warn(check, 'not looked at', `allow ${action}, or look yourself`)]
  }
}

export function isDenied(error: unknown): boolean {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error))
  return (
    /AccessDenied|NotAuthorized|UnauthorizedOperation/.test(`${name} ${message}`) || (cause ? isDenied(cause) : false)
  )
}

export function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name)
}

export function awsReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, cause } = error
  return cause instanceof Error ? awsReason(cause) : message.includes(name) ? message : `${name}: ${message}`
}
