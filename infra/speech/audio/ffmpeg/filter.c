/*
 * The inner loop of the resampler, four samples at a time: FFmpeg has it in the assembler of other processors only, and a
 * compiler may not reorder the sums by itself. Linked in front of `swri_resample_dsp_init`.
 */
#include <wasm_simd128.h>

#include <libswresample/resample.h>

static float weighted(const float *samples, const float *weights, int length)
{
    v128_t even = wasm_f32x4_const_splat(0), odd = even;
    int at = 0;
    for (; at + 8 <= length; at += 8) {
        even = wasm_f32x4_add(even, wasm_f32x4_mul(wasm_v128_load(samples + at), wasm_v128_load(weights + at)));
        odd = wasm_f32x4_add(odd, wasm_f32x4_mul(wasm_v128_load(samples + at + 4), wasm_v128_load(weights + at + 4)));
    }
    v128_t sum = wasm_f32x4_add(even, odd);
    float total = wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1) + wasm_f32x4_extract_lane(sum, 2) +
                  wasm_f32x4_extract_lane(sum, 3);
    for (; at < length; at += 1)
        total += samples[at] * weights[at];
    return total;
}

/* One filter a phase. Where the next output lies is counted in whole phases and a fraction of one, as everywhere in there. */
static int resample_floats(ResampleContext *c, void *into, const void *from, int count, int is_last)
{
    float *made = into;
    const float *samples = from;
    const float *filters = (const float *)c->filter_bank;
    int phase = c->index, fraction = c->frac, at = 0;
    for (int index = 0; index < count; index += 1) {
        made[index] = weighted(samples + at, filters + c->filter_alloc * phase, c->filter_length);
        phase += c->dst_incr_div;
        fraction += c->dst_incr_mod;
        if (fraction >= c->src_incr) {
            fraction -= c->src_incr;
            phase += 1;
        }
        for (; phase >= c->phase_count; phase -= c->phase_count)
            at += 1;
    }
    if (is_last) {
        c->index = phase;
        c->frac = fraction;
    }
    return at;
}

void __real_swri_resample_dsp_init(ResampleContext *c);

void __wrap_swri_resample_dsp_init(ResampleContext *c)
{
    __real_swri_resample_dsp_init(c);
    if (c->format == AV_SAMPLE_FMT_FLTP)
        c->dsp.resample_common = resample_floats;
}
