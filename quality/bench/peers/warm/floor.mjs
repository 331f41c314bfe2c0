/** What every handler pays: the call itself. */
export const handler = async () => ({ body: '{}' })
