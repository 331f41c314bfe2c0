/** What the name of a source of events looks like. */
export const SOURCE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
