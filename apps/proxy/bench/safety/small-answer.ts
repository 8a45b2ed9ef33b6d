/** The answer that honest clients get. */
export const smallAnswer =
  '{"data":{"vehicles":[]},"meta":{"code":200,"message":"ok","success":"true","timestamp":"2026-03-09T07:00:00Z","requestId":"r"}}';
