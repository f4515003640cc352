const { NODE_COMPILE_CACHE: folder } = process.env

/** The variable by which the processes of a run of tests share compiled code: compiling it in every new home would take a quarter of their time. */
export const compiledCode: Record<string, string> = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
