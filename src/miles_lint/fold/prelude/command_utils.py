# What the launch helper gives to recipes, in our own words, for recipes folded without a trainer checkout.
# Names, fields and defaults: miles/utils/external_utils/command_utils.py at 31f1ca961.
import base64
import json
import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path

repo_base_dir = Path("/root/miles")

NUM_GPUS_OF_HARDWARE = {"H100": 8, "H200": 8, "B200": 8, "B300": 8, "GB200": 4, "GB300": 4, "MI350X": 8, "MI355X": 8}
GENERATION_HARDWARE = {"H100": "Hopper", "GB200": "Blackwell", "GB300": "Blackwell"}


@dataclass
class ExecuteTrainConfig:
    cuda_core_dump: bool = False
    num_nodes: int = field(default_factory=lambda: int(os.environ.get("SLURM_JOB_NUM_NODES", "1")))
    extra_env_vars: str = ""
    output_dir: str = "/root/shared_data"

    def create_backend(self): ...

    def __getattr__(self, name): ...


def get_bool_env_var(name, default="false"):
    return os.environ.get(name, default).lower() in ("true", "1")


def get_env_enable_infinite_run():
    return get_bool_env_var("MILES_TEST_ENABLE_INFINITE_RUN")


def encode_pseudo_file(text):
    return "base64:" + base64.b64encode(text.encode()).decode()


def get_mooncake_object_store_args(master_port=50051):
    settings = {
        "protocol": "tcp",
        "master_server_address": f"127.0.0.1:{master_port}",
        "global_segment_size": "2gb",
        "local_buffer_size": "2gb",
    }
    return f"--object-store-backend mooncake --mooncake-store-init-kwargs {shlex.quote(json.dumps(settings))} "


def get_default_wandb_args(test_file, run_name_prefix=None, run_id=None):
    key = os.environ.get("WANDB_API_KEY")
    if not key:
        return ""
    stem = Path(test_file).stem
    project = stem if len(stem) >= 6 else f"{Path(test_file).parent.name}_{stem}"
    group = f"{run_name_prefix}_{run_id}" if run_name_prefix else run_id
    named = f"--wandb-project miles-{project} --wandb-group {group} --wandb-key '{key}' "
    return f"--use-wandb {named}--disable-wandb-random-suffix "
