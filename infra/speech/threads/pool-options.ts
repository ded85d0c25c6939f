export interface WorkerPoolOptions<Request, Answer> {
  /** A module that calls `serve`. */
  readonly entry: URL
  readonly workerData: unknown
  /** Memory that they have together, beside `workerData`: made for the first that starts, and gone when they end. */
  readonly shared?: () => object
  /** The most threads at the same time. */
  readonly size: number
  /** What a thread is given for a request. Left out: the request, copied. */
  readonly load?: (request: Request) => Load<Request>
  readonly decode: (answer: unknown) => Answer
  /** Its threads hold a model: they end while nobody asks for it (`model-rest.ts`), and the next request starts one anew. */
  readonly holdsModel?: boolean
}

/** A request whose arrays move to the thread: cloning them would take their memory three times over. */
interface Load<Request> {
  readonly request: Request
  readonly moved: readonly ArrayBuffer[]
}
