/** Anything that runs SQL with the service's schema in its search_path, such as a dbTx or a client of `pg`. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<unknown>
}
