export type Properties = Readonly<Record<string, unknown>>

/** The attributes of a resource for references: its `Ref`, and those for `Fn::GetAtt`. */
export type ResourceAttributes = Readonly<Record<'Ref' | 'Arn', string>>

/** Creates the resource unless it exists. */
export type ResourceProvider = (properties: Properties) => Promise<ResourceAttributes>
