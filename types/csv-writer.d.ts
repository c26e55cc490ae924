/** csv-writer's own types point at its TypeScript sources, which do not compile under strict settings. */
export interface ObjectHeader {
  id: string
  title: string
}
export interface CsvStringifier<T> {
  getHeaderString(): string
  stringifyRecords(records: readonly T[]): string
}
export function createObjectCsvStringifier<T>(options: { header: ObjectHeader[] }): CsvStringifier<T>
