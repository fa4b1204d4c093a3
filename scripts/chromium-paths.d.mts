export declare const chromiumPaths: string[]
