/** csv-writer's own types point at its TypeScript sources, which do not compile under strict settings. */
export interface CsvWriter<T> {
  writeRecords(records: readonly T[]): Promise<void>
}
export interface ObjectHeader {
  id: string
  title: string
}
export interface CsvStringifier<T> {
  getHeaderString(): string
  stringifyRecords(records: readonly T[]): string
}
export function createObjectCsvWriter<T>(options: {
  path: string
  header: ObjectHeader[]
  append?: boolean
}): CsvWriter<T>
export function createObjectCsvStringifier<T>(options: { header: ObjectHeader[] }): CsvStringifier<T>
