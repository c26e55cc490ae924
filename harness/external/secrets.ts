const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i
const MIN_LENGTH = 8

/** Takes out the values of variables that are named like secrets: a program inherits them, and may print them. */
export function withoutSecrets(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= MIN_LENGTH ? [value] : [],
  )
  return values.reduce((clean, value) => clean.replaceAll(value, '(hidden)'), text)
}
