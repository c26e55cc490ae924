import { z } from 'zod'

/** An object whose error of an unknown key tells the known ones. */
export const strict = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' && Array.isArray(keys)
        ? `there is no ${keys.map((key) => `"${key}"`).join(', ')} (known: ${Object.keys(shape).join(', ')})`
        : undefined,
  })
