/** The parts of an Amazon Resource Name (IAM User Guide, "Identify AWS resources with ARNs"). */
export interface Arn {
  readonly region: string
  readonly account: string
  readonly resource: string
}

/** @throws Error for a text that is none */
export function readArn(text: string): Arn {
  const [prefix, , , region, account, ...resource] = text.split(':')
  if (prefix !== 'arn' || !region || !account || resource.length === 0) throw new Error('this is no ARN of a region')
  return { region, account, resource: resource.join(':') }
}
