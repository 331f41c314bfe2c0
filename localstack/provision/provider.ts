export type Properties = Readonly<Record<string, unknown>>

/** What others can ask of a resource: its `Ref`, and its attributes for `Fn::GetAtt`. */
export type ResourceAttributes = Readonly<Record<'Ref' | 'Arn', string>>

/** Makes the resource, unless it is there already. */
export type ResourceProvider = (properties: Properties) => Promise<ResourceAttributes>
