/* Encodes samples of one channel, and writes them in their container as they come. */
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>

#include "host.h"

enum { WRITE_BUFFER = 16 * 1024 };
/* For an encoder that takes frames of any size. */
enum { USUAL_FRAME = 960 };

static struct {
    AVFormatContext *output;
    AVCodecContext *encoder;
    AVFrame *frame;
    AVPacket *packet;
    int frame_samples;
    int64_t written;
} encoding;

static int write_on(void *unused, const uint8_t *bytes, int size)
{
    (void)unused;
    host_write(bytes, size);
    return size;
}

static int open_encoder(const char *name, int rate, int bit_rate)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(name);
    AVCodecContext *encoder = encoding.encoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!encoder)
        return AVERROR_ENCODER_NOT_FOUND;
    const enum AVSampleFormat *formats = NULL;
    int outcome = avcodec_get_supported_config(encoder, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, (const void **)&formats, NULL);
    if (outcome < 0)
        return outcome;
    encoder->sample_rate = rate;
    encoder->ch_layout = (AVChannelLayout)AV_CHANNEL_LAYOUT_MONO;
    encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
    /* as they come, where it takes them so */
    for (; *formats != AV_SAMPLE_FMT_NONE; formats += 1)
        if (*formats == AV_SAMPLE_FMT_S16 || *formats == AV_SAMPLE_FMT_S16P) {
            encoder->sample_fmt = *formats;
            break;
        }
    encoder->time_base = (AVRational){1, rate};
    if (bit_rate > 0)
        encoder->bit_rate = bit_rate;
    outcome = avcodec_open2(encoder, codec, NULL);
    encoding.frame_samples = encoder->frame_size ? encoder->frame_size : USUAL_FRAME;
    return outcome;
}

static int open_output(const char *container)
{
    uint8_t *buffer = av_malloc(WRITE_BUFFER);
    AVIOContext *bytes = buffer ? avio_alloc_context(buffer, WRITE_BUFFER, 1, NULL, NULL, write_on, NULL) : NULL;
    int outcome = avformat_alloc_output_context2(&encoding.output, NULL, container, NULL);
    if (!bytes || outcome < 0)
        return bytes ? outcome : AVERROR(ENOMEM);
    AVFormatContext *output = encoding.output;
    output->pb = bytes;
    /* no serial numbers by chance: there is one stream in what we write */
    output->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
    AVStream *stream = avformat_new_stream(output, NULL);
    if (!stream)
        return AVERROR(ENOMEM);
    stream->time_base = encoding.encoder->time_base;
    outcome = avcodec_parameters_from_context(stream->codecpar, encoding.encoder);
    return outcome < 0 ? outcome : avformat_write_header(output, NULL);
}

static int open_frame(void)
{
    AVCodecContext *encoder = encoding.encoder;
    AVFrame *frame = encoding.frame = av_frame_alloc();
    encoding.packet = av_packet_alloc();
    if (!frame || !encoding.packet)
        return AVERROR(ENOMEM);
    frame->nb_samples = encoding.frame_samples;
    frame->format = encoder->sample_fmt;
    frame->sample_rate = encoder->sample_rate;
    frame->ch_layout = encoder->ch_layout;
    return av_frame_get_buffer(frame, 0);
}

/* Less than zero, as everywhere here: it failed, and FFmpeg's number says how. */
int EXPORTED(open_encoding)(const char *encoder, const char *container, int rate, int bit_rate)
{
    av_log_set_level(AV_LOG_QUIET);
    int outcome = open_encoder(encoder, rate, bit_rate);
    if (outcome >= 0)
        outcome = open_output(container);
    return outcome < 0 ? outcome : open_frame();
}

/* How many samples a call of `encode` takes; only the last may have fewer. */
int EXPORTED(samples_a_frame)(void)
{
    return encoding.frame_samples;
}

static int write_packets(void)
{
    AVPacket *packet = encoding.packet;
    AVStream *stream = encoding.output->streams[0];
    while (avcodec_receive_packet(encoding.encoder, packet) >= 0) {
        packet->stream_index = 0;
        av_packet_rescale_ts(packet, encoding.encoder->time_base, stream->time_base);
        int outcome = av_write_frame(encoding.output, packet);
        av_packet_unref(packet);
        if (outcome < 0)
            return outcome;
    }
    avio_flush(encoding.output->pb);
    return 0;
}

static void fill(AVFrame *frame, const int16_t *samples, int count)
{
    frame->nb_samples = count;
    if (frame->format != AV_SAMPLE_FMT_FLTP) {
        memcpy(frame->data[0], samples, count * sizeof *samples);
        return;
    }
    float *floats = (float *)frame->data[0];
    for (int index = 0; index < count; index += 1)
        floats[index] = samples[index] / 32768.0f;
}

int EXPORTED(encode)(const int16_t *samples, int count)
{
    int outcome = av_frame_make_writable(encoding.frame);
    if (outcome < 0)
        return outcome;
    fill(encoding.frame, samples, count);
    encoding.frame->pts = encoding.written;
    encoding.written += count;
    outcome = avcodec_send_frame(encoding.encoder, encoding.frame);
    return outcome < 0 ? outcome : write_packets();
}

int EXPORTED(finish_encoding)(void)
{
    int outcome = avcodec_send_frame(encoding.encoder, NULL);
    if (outcome >= 0)
        outcome = write_packets();
    if (outcome >= 0)
        outcome = av_write_trailer(encoding.output);
    avio_flush(encoding.output->pb);
    return outcome;
}
